//! On-board link prediction: a robot's radio module that learns only from what it hears.

use crate::physics::{GOOD_ENOUGH, Modes, Propagation, damping_of_all, dbm, thermal};
use crate::{NodeId, PhysicalParams, Signal, Wall};
use serde::{Deserialize, Serialize};

/// Number of partners that are remembered.
const PARTNERS: usize = 64;
/// The weight of a measurement falls as the ends move; this is the scale. [m]
const FORGET: f64 = 10.0;
/// Weight of a new measurement of noise.
const SMOOTHING: f64 = 0.2;
/// Message size that predictions refer to. [bytes]
const BYTES: u32 = 200;

/// A robot's knowledge of its links: what it heard from whom and where, and its own noise measurements.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimator {
    /// The partners heard last, the latest at the end.
    partners: Vec<Partner>,
    /// Smoothed noise. [mW]
    noise: Option<f64>,
}

/// The last signal from a partner.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Partner {
    id: NodeId,
    /// When. [ns]
    heard: u64,
    signal: Signal,
    /// Where the robot itself was, if it knows. [m]
    mine: Option<[f64; 2]>,
    /// Where the partner was, if the robot knows. [m]
    theirs: Option<[f64; 2]>,
}

/// The predicted quality of a link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// Received power. [dBm]
    pub rx: f64,
    /// Signal-to-noise ratio. [dB]
    pub sinr: f64,
    /// Probability that 200 bytes arrive with the best modulation.
    pub success: f64,
    /// Rate of that modulation; 0 if none is good enough. [bit/s]
    pub rate: f64,
}

impl Estimator {
    /// An estimator that has heard nothing yet.
    pub fn new() -> Estimator {
        Estimator::default()
    }

    /// Records a signal from a partner at a time [ns], and where both were then [m], as far as the robot knows.
    pub fn hear(
        &mut self,
        partner: NodeId,
        now: u64,
        signal: Signal,
        mine: Option<[f64; 2]>,
        theirs: Option<[f64; 2]>,
    ) {
        self.partners.retain(|known| known.id != partner);
        if self.partners.len() >= PARTNERS {
            self.partners.remove(0);
        }
        self.partners.push(Partner { id: partner, heard: now, signal, mine, theirs });
    }

    /// Records a noise measurement taken while nobody was sending. [mW]
    pub fn measure_noise(&mut self, milliwatts: f64) {
        if milliwatts.is_finite() && milliwatts >= 0.0 {
            self.noise =
                Some(self.noise.map_or(milliwatts, |noise| noise + SMOOTHING * (milliwatts - noise)));
        }
    }

    /// Time of the last signal from a partner [ns], and the signal.
    pub fn heard(&self, partner: NodeId) -> Option<(u64, Signal)> {
        self.find(partner).map(|known| (known.heard, known.signal))
    }

    /// Predicts the link between the robot and its partner at these places [m], through the walls of the robot's map. Corrects
    /// by the difference between the last signal and the model at the place where it was heard. If the robot does not know where
    /// the partner was then, it assumes the given place.
    pub fn predict(
        &self,
        params: &PhysicalParams,
        map: &[Wall],
        partner: NodeId,
        mine: [f64; 2],
        theirs: [f64; 2],
    ) -> Prediction {
        let propagation = Propagation::new(params);
        let model = |a, b| emitted(params) - propagation.loss(distance(a, b)) - damping_of_all(map, a, b);
        let known = self
            .find(partner)
            .and_then(|known| Some((known.signal.rssi, known.mine?, known.theirs.unwrap_or(theirs))));
        let correction = known.map_or(0.0, |(rssi, my_place, their_place)| {
            let moved = distance(mine, my_place) + distance(theirs, their_place);
            (rssi - model(my_place, their_place)) * libm::exp(-moved / FORGET)
        });
        self.prediction(params, model(mine, theirs) + correction)
    }

    /// Predicts the link at another distance [m] from a partner, based on its last signal; `None` if there is none. If the
    /// places are unknown, the distance is inferred from the signal.
    pub fn predict_at(
        &self,
        params: &PhysicalParams,
        partner: NodeId,
        distance_then: f64,
    ) -> Option<Prediction> {
        let known = self.find(partner)?;
        let propagation = Propagation::new(params);
        let rssi = known.signal.rssi;
        let heard_at = match known.mine.zip(known.theirs) {
            Some((mine, theirs)) => distance(mine, theirs),
            None => propagation.reach(emitted(params) - rssi),
        };
        let rx = rssi + propagation.loss(heard_at) - propagation.loss(distance_then);
        Some(self.prediction(params, rx))
    }

    fn find(&self, partner: NodeId) -> Option<&Partner> {
        self.partners.iter().find(|known| known.id == partner)
    }

    fn prediction(&self, params: &PhysicalParams, rx: f64) -> Prediction {
        let own = if params.thermal_noise { thermal(params.noise_figure, params.bandwidth) } else { 0.0 };
        let noise = dbm(self.noise.unwrap_or(own));
        let sinr = if noise == f64::NEG_INFINITY { f64::INFINITY } else { rx - noise };
        let modes = Modes::new(params.profile, params.bandwidth, params.streams, params.implementation_loss);
        let best = modes.best(sinr, BYTES, GOOD_ENOUGH).map(|best| &modes.list[best]);
        let mode = best.unwrap_or(modes.base());
        let heard = params.sensitivity.is_none_or(|sensitivity| rx >= sensitivity)
            && params.preamble_sinr.is_none_or(|needed| sinr >= needed);
        let success = if heard { mode.success(sinr, BYTES) } else { 0.0 };
        Prediction { rx, sinr, success, rate: best.filter(|_| heard).map_or(0.0, |mode| mode.rate) }
    }
}

/// Power with both antennas' gains. [dBm]
fn emitted(params: &PhysicalParams) -> f64 {
    params.power + 2.0 * params.antenna_gain
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    let [x, y] = [a[0] - b[0], a[1] - b[1]];
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WallShape;
    use crate::physics::{Budget, Conditions, PathLoss, milliwatts};

    const HERE: [f64; 2] = [0.0, 0.0];

    /// The true signal over a distance through this much damping.
    fn signal(params: &PhysicalParams, distance: f64, damping: f64) -> Signal {
        let walls = vec![(1, damping)];
        let budget = Budget::new(params, &Conditions { distance, walls, ..Conditions::default() });
        Signal { rssi: budget.rx, sinr: budget.sinr }
    }

    #[test]
    fn the_free_field_is_predicted_after_one_message() {
        for path_loss in [PathLoss::Friis, PathLoss::LogDistance, PathLoss::TwoRay] {
            let params = PhysicalParams { path_loss, antenna_gain: 1.0, ..PhysicalParams::default() };
            let mut estimator = Estimator::new();
            estimator.hear(NodeId(7), 5, signal(&params, 40.0, 0.0), Some(HERE), Some([40.0, 0.0]));
            let mut blind = Estimator::new();
            blind.hear(NodeId(7), 5, signal(&params, 40.0, 0.0), None, None);
            for far in [2.0, 60.0, 250.0, 900.0] {
                let truth = Budget::new(&params, &Conditions { distance: far, ..Conditions::default() });
                let expected =
                    Prediction { rx: truth.rx, sinr: truth.sinr, success: truth.success, rate: truth.rate };
                for found in [
                    Some(estimator.predict(&params, &[], NodeId(7), HERE, [0.0, far])),
                    estimator.predict_at(&params, NodeId(7), far),
                    blind.predict_at(&params, NodeId(7), far),
                ] {
                    let same = found.is_some_and(|found| {
                        (found.rx - expected.rx).abs() < 1e-6
                            && (found.sinr - expected.sinr).abs() < 1e-6
                            && (found.success - expected.success).abs() < 1e-4
                            && found.rate == if found.success >= 0.9 { expected.rate } else { 0.0 }
                    });
                    assert!(same, "{path_loss:?} {far} m: {found:?}, not {expected:?}");
                }
            }
        }
    }

    #[test]
    fn a_wall_on_the_map_is_taken_into_account() {
        let params = PhysicalParams::default();
        let wall = Wall { shape: WallShape::Segment([5.0, -5.0], [5.0, 5.0]), damping: 12.0 };
        let estimator = Estimator::new();
        let through = estimator.predict(&params, std::slice::from_ref(&wall), NodeId(1), HERE, [10.0, 0.0]);
        let free = estimator.predict(&params, &[], NodeId(1), HERE, [10.0, 0.0]);
        assert!((free.rx - through.rx - 12.0).abs() < 1e-9);
        // The map explains the loss, so there is no correction: past the wall the prediction is that of free space.
        let mut estimator = Estimator::new();
        estimator.hear(NodeId(1), 0, signal(&params, 10.0, 12.0), Some(HERE), Some([10.0, 0.0]));
        let past = estimator.predict(&params, std::slice::from_ref(&wall), NodeId(1), HERE, [0.0, 10.0]);
        assert!((past.rx - free.rx).abs() < 1e-9);
    }

    #[test]
    fn an_unknown_wall_is_learnt_and_forgotten() {
        let params = PhysicalParams::default();
        let mut estimator = Estimator::new();
        estimator.hear(NodeId(1), 0, signal(&params, 30.0, 15.0), Some(HERE), Some([30.0, 0.0]));
        let missing = |theirs: [f64; 2]| {
            let free = Estimator::new().predict(&params, &[], NodeId(1), HERE, theirs).rx;
            free - estimator.predict(&params, &[], NodeId(1), HERE, theirs).rx
        };
        assert!((missing([30.0, 0.0]) - 15.0).abs() < 1e-9);
        assert!((missing([30.0, 10.0]) - 15.0 * libm::exp(-1.0)).abs() < 1e-9);
        assert!(missing([30.0, 100.0]).abs() < 0.01);
        // Predictions for other partners do not change.
        let other = estimator.predict(&params, &[], NodeId(2), HERE, [30.0, 0.0]);
        assert_eq!(other, Estimator::new().predict(&params, &[], NodeId(2), HERE, [30.0, 0.0]));
    }

    #[test]
    fn an_unknown_place_of_a_partner_defaults_to_the_given_one() {
        let params = PhysicalParams::default();
        let [mut knowing, mut unaware] = [Estimator::new(), Estimator::new()];
        let (there, heard) = ([30.0, 0.0], signal(&params, 30.0, 12.0));
        knowing.hear(NodeId(7), 5, heard, Some(HERE), Some(there));
        unaware.hear(NodeId(7), 5, heard, Some(HERE), None);
        let ask = |estimator: &Estimator| estimator.predict(&params, &[], NodeId(7), [0.0, 1.0], there);
        assert_eq!(ask(&unaware), ask(&knowing));
        assert_ne!(ask(&unaware), ask(&Estimator::new()));
    }

    #[test]
    fn own_measurements_of_noise_count() {
        let params = PhysicalParams::default();
        let mut estimator = Estimator::new();
        let thermal = estimator.predict(&params, &[], NodeId(1), HERE, [10.0, 0.0]);
        assert!((thermal.rx - thermal.sinr - -93.99).abs() < 0.01);
        estimator.measure_noise(milliwatts(-80.0));
        estimator.measure_noise(f64::NAN);
        estimator.measure_noise(-1.0);
        let noisy = estimator.predict(&params, &[], NodeId(1), HERE, [10.0, 0.0]);
        assert!((noisy.rx - noisy.sinr - -80.0).abs() < 1e-9);
        for _ in 0..60 {
            estimator.measure_noise(milliwatts(-90.0));
        }
        let calm = estimator.predict(&params, &[], NodeId(1), HERE, [10.0, 0.0]);
        assert!((calm.rx - calm.sinr - -90.0).abs() < 0.01);
        let silent = PhysicalParams { thermal_noise: false, ..params };
        assert_eq!(Estimator::new().predict(&silent, &[], NodeId(1), HERE, [1e4, 0.0]).success, 1.0);
    }

    #[test]
    fn memory_is_bounded_and_holds_only_heard_partners() {
        let params = PhysicalParams::default();
        let mut estimator = Estimator::new();
        assert_eq!(estimator.heard(NodeId(1)), None);
        assert_eq!(estimator.predict_at(&params, NodeId(1), 10.0), None);
        for partner in 0..100 {
            let signal = Signal { rssi: -50.0 - f64::from(partner), sinr: 20.0 };
            estimator.hear(NodeId(partner), u64::from(partner), signal, None, Some(HERE));
            // Partner 0 speaks all the time and stays known.
            estimator.hear(NodeId(0), u64::from(partner), Signal { rssi: -42.0, sinr: 9.0 }, None, None);
        }
        assert_eq!(estimator.partners.len(), PARTNERS);
        assert_eq!(estimator.heard(NodeId(0)), Some((99, Signal { rssi: -42.0, sinr: 9.0 })));
        assert_eq!(estimator.heard(NodeId(36)), None);
        assert_eq!(estimator.heard(NodeId(37)), Some((37, Signal { rssi: -87.0, sinr: 20.0 })));
        // The partner's place alone is not enough.
        let found = estimator.predict(&params, &[], NodeId(99), HERE, [10.0, 0.0]);
        assert_eq!(found, Estimator::new().predict(&params, &[], NodeId(99), HERE, [10.0, 0.0]));
        let copy: Result<Estimator, _> =
            serde_json::to_string(&estimator).and_then(|text| serde_json::from_str(&text));
        assert!(copy.is_ok_and(|copy| copy == estimator));
    }
}
