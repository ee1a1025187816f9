use super::simulation;

#[test]
fn debug_misses() {
    for (seed, c) in [(35, "alliance"), (19, "greedy")] {
        let mut run = simulation("janitorial", seed, &[&format!("team.coordinator={c}")]);
        let mut log = Vec::new();
        while !run.finished() {
            log.clear();
            run.tick(&mut log);
            for l in &log {
                let k = &*l.event.kind;
                if k == "found-dimensions" || k == "quadrant-cleaned" {
                    println!(
                        "{seed} {:.0} {:?} {k} {:?}",
                        l.time.seconds(),
                        l.robot,
                        l.event.terms.iter().map(|t| (t.name.to_string(), t.value)).collect::<Vec<_>>()
                    );
                }
            }
            if log.iter().any(|l| l.event.kind == "doubt") {
                let w = &run.state.world;
                let cells: Vec<String> = w
                    .floor
                    .as_ref()
                    .unwrap()
                    .dirty(|_| false)
                    .map(|c| format!("({:.1},{:.1})", c.x, c.y))
                    .collect();
                println!(
                    "seed {seed} t {} dirty {} progress {:?}: {}",
                    run.now().seconds(),
                    cells.len(),
                    run.state.verdict,
                    cells.join(" ")
                );
                for o in w.objects() {
                    if o.dust > 0.0 || o.garbage > 0.0 {
                        println!("  {} dust {} garbage {}", o.name, o.dust, o.garbage);
                    }
                }
                for b in &w.bodies {
                    println!("  body {:?}", b.pose.position);
                }
                break;
            }
        }
    }
}
