//! Published figures, and figures measured with ns-3 3.37 in the same settings.

use crewlab_radio::physics::PathLoss;
use crewlab_radio::workload::Workload;

/// Means over seeds: share of delivered copies, and their latency [ms].
fn means(workload: &Workload, seeds: u64) -> (f64, f64) {
    let runs: Vec<(f64, f64)> = (1..=seeds)
        .map(|seed| {
            let tally = workload.run(seed);
            assert_eq!(tally.in_flight(), 0, "queues must have run empty");
            (tally.delivered as f64 / tally.copies as f64, tally.mean_latency().unwrap_or(0.0) * 1e3)
        })
        .collect();
    let count = runs.len() as f64;
    (runs.iter().map(|r| r.0).sum::<f64>() / count, runs.iter().map(|r| r.1).sum::<f64>() / count)
}

fn check(name: &str, workload: &Workload, seeds: u64, delivery: [f64; 2], latency: [f64; 2]) {
    let (share, time) = means(workload, seeds);
    assert!((delivery[0]..=delivery[1]).contains(&share), "{name}: delivery {share}, expected {delivery:?}");
    assert!((latency[0]..=latency[1]).contains(&time), "{name}: latency {time} ms, expected {latency:?}");
}

#[test]
fn ad_hoc_broadcasts_are_delivered_as_published() {
    check("10 nodes", &Workload::ad_hoc(10), 5, [0.9995, 1.0], [0.3965, 0.3975]);
    check("50 nodes", &Workload::ad_hoc(50), 5, [0.960, 0.997], [0.465, 0.515]);
    check("100 nodes", &Workload::ad_hoc(100), 5, [0.962, 0.992], [0.56, 0.67]);
}

/// Ranges over five seeds of ns-3, with its default receiver that locks on from -82 dBm.
#[test]
fn lossier_and_larger_settings_agree_with_ns3() {
    let log = |nodes: usize, exponent: f64| {
        let mut workload = Workload::ad_hoc(nodes);
        workload.params.path_loss = PathLoss::LogDistance;
        workload.params.exponent = exponent;
        workload
    };
    let mut weak = Workload::ad_hoc(50);
    weak.params.power = 0.0;
    let long = Workload { bytes: 1000, ..Workload::ad_hoc(50) };
    let wide = Workload { size: [2000.0, 2000.0], ..Workload::ad_hoc(100) };
    check("exponent 3", &log(50, 3.0), 3, [0.165, 0.190], [0.396, 0.420]);
    check("exponent 2.7", &log(50, 2.7), 3, [0.373, 0.444], [0.408, 0.459]);
    check("exponent 3.5", &log(100, 3.5), 3, [0.050, 0.060], [0.398, 0.412]);
    check("0 dBm", &weak, 3, [0.185, 0.213], [0.396, 0.420]);
    check("1000 bytes", &long, 5, [0.913, 0.976], [2.337, 3.1]);
    // The nodes in range depend on the places, which differ from ns-3's: 0.653 of the pairs on average, 0.614 and 0.675 in
    // two of its five seeds, which have 0.537 to 0.588 and 0.474 to 0.524 ms.
    check("2 km x 2 km", &wide, 10, [0.537, 0.615], [0.474, 0.535]);
    check("200 nodes", &Workload::ad_hoc(200), 2, [0.877, 0.920], [0.94, 1.085]);
}
