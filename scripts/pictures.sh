#!/usr/bin/env bash
# Makes the pictures in README and docs from runs of the shipped scenarios.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT
./target/release/crewlab run waste-cleanup --quiet --out "$runs/plain"
./target/release/crewlab run waste-cleanup-trapped --quiet --out "$runs/trapped"
./target/release/crewlab run experiments/alliance-sim/figure-4.9.yaml --quiet --out "$runs/same-tick"
cp "$runs/plain/plots/world.svg" docs/pictures/waste-cleanup-world.svg
cp "$runs/plain/plots/tasks.svg" docs/pictures/waste-cleanup-tasks.svg
cp "$runs/plain/plots/motivation-robot-blue.svg" docs/pictures/waste-cleanup-blue.svg
cp "$runs/trapped/plots/motivation-task-find-locations.svg" docs/pictures/trapped-find-locations.svg
cp "$runs/trapped/plots/tasks.svg" docs/pictures/trapped-tasks.svg
cp "$runs/same-tick/plots/motivation-task-move-spill-top.svg" docs/pictures/same-tick-move-spill-top.svg
./target/release/crewlab run experiments/alliance/figure-7-8.yaml --quiet --out "$runs/janitorial"
./target/release/crewlab run experiments/alliance/figure-10-11.yaml --quiet --out "$runs/overwatch"
./target/release/crewlab run experiments/alliance/figure-12.yaml --quiet --out "$runs/leader-fails"
cp "$runs/janitorial/plots/story.svg" docs/pictures/janitorial-story.svg
cp "$runs/janitorial/plots/tasks.svg" docs/pictures/janitorial-tasks.svg
cp "$runs/overwatch/plots/story.svg" docs/pictures/overwatch-story.svg
cp "$runs/leader-fails/plots/motivation-task-emerge-leader.svg" docs/pictures/leader-fails.svg
./target/release/crewlab run experiments/alliance/box-pushing.yaml --quiet --out "$runs/box"
cp "$runs/box/plots/story.svg" docs/pictures/box-story.svg
cp "$runs/box/plots/motivation-robot-red.svg" docs/pictures/box-red.svg
./target/release/crewlab run waste-cleanup --quiet --set team.coordinator=muroco --disturb '{at: 100 s, stop: green}' --out "$runs/market"
cp "$runs/market/plots/tasks.svg" docs/pictures/market-tasks.svg
./target/release/crewlab run experiments/muroco/figure-3.7.yaml --quiet --out "$runs/service"
cp "$runs/service/plots/tasks.svg" docs/pictures/service-tasks.svg
./target/release/crewlab learn waste-cleanup --quiet --out "$runs/learning"
cp "$runs/learning/learning.svg" docs/pictures/learning.svg
./target/release/crewlab tune experiments/tuning/alliance-patience.yaml --quiet --out "$runs/tuning"
cp "$runs/tuning/plots/search.svg" docs/pictures/tuning-search.svg
cp "$runs/tuning/plots/parameters.svg" docs/pictures/tuning-parameters.svg
./target/release/crewlab run experiments/ground/waste-cleanup-puddle.yaml --quiet --out "$runs/ground"
cp "$runs/ground/plots/world.svg" docs/pictures/ground-puddle.svg
./target/release/crewlab bench navigation --picture "$runs/route.svg"
cp "$runs/route.svg" docs/pictures/route.svg
./target/release/crewlab run experiments/navigation/office-traffic.yaml --quiet --out "$runs/office"
cp "$runs/office/plots/world.svg" docs/pictures/map-office.svg
./target/release/crewlab run exploration --quiet --out "$runs/exploration"
cp "$runs/exploration/plots/world.svg" docs/pictures/swarm-exploration.svg
cp "$runs/exploration/plots/layers.svg" docs/pictures/swarm-layers.svg
./target/release/crewlab sweep experiments/swarm/table-2.yaml --quiet --out "$runs/table-2"
cp "$runs/table-2/plots/levels-wall.svg" docs/pictures/swarm-table-2.svg
for figure in 14 19 20 21 23; do
  ./target/release/crewlab run experiments/swarm/figure-$figure.yaml --quiet --out "$runs/figure-$figure"
  cp "$runs/figure-$figure/plots/world.svg" docs/pictures/swarm-figure-$figure.svg
done
./target/release/crewlab run formation --quiet --out "$runs/formation"
cp "$runs/formation/plots/stacks.svg" docs/pictures/bite-stacks.svg
./target/release/crewlab compare formation --coordinators bite,cbba,greedy,alliance,muroco --seeds 20 --set 'radio.loss=40 %' --set 'run.until=5 min' --quiet --out "$runs/bite"
cp "$runs/bite/plots/spread.svg" docs/pictures/bite-comparison.svg
# The navigation experiment: 9,000 maps, and 200 held-out seeds.
./target/release/crewlab trials experiments/estimation/experiment.yaml --out "$runs/experiment"
./target/release/crewlab trials experiments/estimation/reliability.yaml --out "$runs/reliability"
for figure in errors-by-crowd performance-by-crowd performance times; do
  cp "$runs/experiment/$figure.svg" "docs/pictures/estimation-$figure.svg"
done
for figure in reliability relative-error; do
  cp "$runs/reliability/$figure.svg" "docs/pictures/estimation-$figure.svg"
done
# Which indicators depend on each other, on a pavement and in a street without cars.
slam=(--set robot-types.ace.sensors.position=null --set robot-types.ace.sensors.compass=null --set 'robot-types.ace.sensors.odometry={}')
for seed in 1 2 3 4 5; do
  for street in sidewalk zone; do
    ./target/release/crewlab run city-$street --seed $seed "${slam[@]}" --quiet --out "$runs/city/$street-$seed"
  done
done
./target/release/crewlab analyse "$runs/city" --where 'speed>0.05' --method quantile --out "$runs/analysis"
for figure in graph ties samples marginals acceptance; do
  cp "$runs/analysis/plots/$figure.svg" "docs/pictures/analysis-$figure.svg"
done
# Teams with a degrading radio: some 2,000 runs.
for sweep in experiments/radio/sweeps/*.yaml; do
  name=$(basename "$sweep" .yaml)
  ./target/release/crewlab sweep "$sweep" --quiet --out "$runs/$name"
  cp "$runs/$name"/plots/levels-*.svg "docs/pictures/radio-$name.svg"
done
# Coordinators on the same seeds: the text goes into docs/comparison.md.
./target/release/crewlab compare waste-cleanup-death --coordinators alliance,muroco,cbba,greedy,random --seeds 100 --quiet --out "$runs/comparison"
cp "$runs/comparison/plots/spread.svg" docs/pictures/comparison-waste-cleanup-death.svg
cp "$runs/comparison/plots/differences.svg" docs/pictures/comparison-differences.svg
