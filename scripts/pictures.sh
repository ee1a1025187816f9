#!/usr/bin/env bash
# Makes the pictures in README and docs from runs of the shipped scenarios.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT
./target/release/crewlab run waste-cleanup --quiet --out "$runs/plain"
./target/release/crewlab run waste-cleanup-trapped --quiet --out "$runs/trapped"
./target/release/crewlab run waste-cleanup --quiet --set team.visibility=same-tick --out "$runs/same-tick"
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
./target/release/crewlab run waste-cleanup --quiet --set team.coordinator=muroco --disturb '{at: 100 s, stop: green}' --out "$runs/market"
cp "$runs/market/plots/tasks.svg" docs/pictures/market-tasks.svg
./target/release/crewlab run experiments/muroco/figure-3.7.yaml --quiet --out "$runs/service"
cp "$runs/service/plots/tasks.svg" docs/pictures/service-tasks.svg
./target/release/crewlab learn waste-cleanup --quiet --out "$runs/learning"
cp "$runs/learning/learning.svg" docs/pictures/learning.svg
# Teams while the radio gets worse: some 2,000 runs, which take a quarter of an hour on two cores.
degrade() { # NAME KEY UNIT LEVELS LABEL TITLE
  scripts/degradation.py "experiments/radio/$1.yaml" --key "$2" --unit "$3" --levels "$4" --label "$5" --title "$6" \
    --coordinators alliance,greedy --seeds 20 --svg "docs/pictures/radio-$1.svg"
}
loss=0,20,40,60,80,90,100 jammed=0,5,10,20,30,45,60 damping=0,20,30,40,50,60,70,80
degrade waste-cleanup-loss radio.loss % $loss "messages lost" "Waste cleanup, messages lost at random"
degrade janitorial-loss radio.loss % $loss "messages lost" "Janitorial service, messages lost at random"
degrade waste-cleanup-trapped-loss radio.loss % $loss "messages lost" "Waste cleanup with blue walled in, messages lost at random"
degrade waste-cleanup-jammer disturbances.0.for s $jammed "jammed, of every minute" "Waste cleanup, a jammer that comes and goes"
degrade janitorial-jammer disturbances.0.for s $jammed "jammed, of every minute" "Janitorial service, a jammer that comes and goes"
degrade waste-cleanup-split world.objects.curtain.damping dB $damping "damping of the curtain" "Waste cleanup, the room split by a damping curtain"
degrade janitorial-split disturbances.0.object-added.damping dB $damping "damping of the curtain" "Janitorial service, the office split by a damping curtain"
# Coordinators on the same seeds: the tables go into docs/comparison.md.
scripts/coordinators.py waste-cleanup-death --coordinators alliance,muroco,cbba,greedy --seeds 100 \
  --title "Waste cleanup, one robot dies: mission times" --svg docs/pictures/comparison-waste-cleanup-death.svg
