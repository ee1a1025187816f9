use crewlab_radio::workload::*;
use crewlab_radio::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let go = |name: &str, w: Workload, seeds: u64| {
        for seed in 1..=seeds {
            let t0 = std::time::Instant::now();
            let t = w.run(seed);
            println!(
                "{name} seed {seed} delivery {:.4} latency {:.4} ms  wall {:.3} s  lost {:?} tx {} inflight {}",
                t.delivered as f64 / t.copies as f64,
                t.mean_latency().unwrap_or(0.0) * 1e3,
                t0.elapsed().as_secs_f64(),
                t.lost.iter().map(|(l, n)| (l.name(), n as f64 / t.copies as f64)).collect::<Vec<_>>(),
                t.transmissions,
                t.in_flight()
            );
        }
    };
    let log = |n: usize, e: f64| {
        let mut w = Workload::ad_hoc(n);
        w.params.path_loss = physics::PathLoss::LogDistance;
        w.params.exponent = e;
        w
    };
    match a.get(1).map(String::as_str) {
        Some("salt") => {
            let ok = (1..=5).all(|seed| {
                let t = Workload::ad_hoc(10).run(seed);
                t.delivered == t.copies && (t.mean_latency().unwrap() * 1e3 - 0.397).abs() < 0.0006
            });
            if ok {
                let s: Vec<(f64, f64)> = (1..=5)
                    .map(|seed| {
                        let t = Workload::ad_hoc(50).run(seed);
                        (t.delivery_ratio().unwrap(), t.mean_latency().unwrap() * 1e3)
                    })
                    .collect();
                println!("{} {:?}", std::env::var("SALT").unwrap(), s);
            }
        }
        Some("100") => go("base100", Workload::ad_hoc(100), 1),
        Some("big") => {
            go("n300", Workload::ad_hoc(300), 1);
            go("n1000", Workload::ad_hoc(1000), 1);
            go("large1000", Workload::large(1000), 1);
        }
        Some("large") => {
            for n in [250, 500, 1000, 2000] {
                go("large", Workload::large(n), 1);
            }
        }
        _ => {
            for n in [10, 50, 100] {
                go(&format!("base{n}"), Workload::ad_hoc(n), 5);
            }
            for (n, e) in [(50, 3.0), (50, 2.7), (100, 3.0), (100, 2.7), (100, 3.5)] {
                go(&format!("log{e}_{n}"), log(n, e), 3);
            }
            let mut w = Workload::ad_hoc(50);
            w.params.power = 0.0;
            go("p0_50", w, 3);
            let mut w = Workload::ad_hoc(100);
            w.params.power = 0.0;
            go("p0_100", w, 3);
            let mut w = Workload::ad_hoc(50);
            w.bytes = 1000;
            go("long", w, 5);
        }
    }
}
