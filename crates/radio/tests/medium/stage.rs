//! A test stage with nodes that send and receive.

use crewlab_radio::physics::PathLoss;
use crewlab_radio::{
    Fate, Jammer, Node, NodeId, Physical, PhysicalParams, Radio, Surroundings, Tally, Wall, WallShape,
};

/// Length of a tick. [ns]
pub const TICK: u64 = 100_000_000;

/// A radio among nodes, and the time.
pub struct Stage {
    pub radio: Physical,
    pub nodes: Vec<Node>,
    pub walls: Vec<Wall>,
    pub jammers: Vec<Jammer>,
    pub cuts: Vec<(NodeId, NodeId)>,
    pub noise_rise: f64,
    pub bandwidth_share: Option<f64>,
    pub now: u64,
    /// Everything that was heard: receiver and content.
    pub heard: Vec<(NodeId, Vec<u8>)>,
    pub fates: Vec<Fate>,
}

/// Free space, everyone at once, no stagger.
pub fn free_space() -> PhysicalParams {
    PhysicalParams { path_loss: PathLoss::Friis, stagger: 0.0, ..PhysicalParams::default() }
}

impl Stage {
    pub fn new(params: PhysicalParams, places: &[[f64; 2]]) -> Stage {
        let mut stage = Stage {
            radio: Physical::new(params, None, 7),
            nodes: places.iter().map(|place| Node::at(*place)).collect(),
            walls: Vec::new(),
            jammers: Vec::new(),
            cuts: Vec::new(),
            noise_rise: 0.0,
            bandwidth_share: None,
            now: 0,
            heard: Vec::new(),
            fates: Vec::new(),
        };
        stage.radio.watch(true);
        stage.look();
        stage
    }

    pub fn wall(mut self, from: [f64; 2], to: [f64; 2], damping: f64) -> Stage {
        self.walls.push(Wall { shape: WallShape::Segment(from, to), damping });
        self.look();
        self
    }

    /// Passes the current surroundings to the radio.
    pub fn look(&mut self) {
        let around = Surroundings {
            nodes: &self.nodes,
            walls: &self.walls,
            same_walls: false,
            jammers: &self.jammers,
            cuts: &self.cuts,
            noise_rise: self.noise_rise,
            bandwidth_share: self.bandwidth_share,
        };
        self.radio.update(self.now, &around);
    }

    /// One tick: time passes, and every node hears.
    pub fn tick(&mut self) {
        self.now += TICK;
        self.look();
        for node in NodeId::first(self.nodes.len()) {
            let heard = &mut self.heard;
            let reception = self.radio.hear(self.now, node, &mut |message| {
                heard.push((node, message.payload.to_vec()));
            });
            self.radio.settle(self.now, node, reception);
        }
        self.fates.extend(self.radio.fates());
    }

    pub fn ticks(&mut self, count: usize) {
        (0..count).for_each(|_| self.tick());
    }

    /// Broadcasts a message now.
    pub fn say(&mut self, sender: NodeId, bytes: usize) {
        self.radio.transmit(self.now, sender, None, vec![sender.0 as u8; bytes]);
    }

    /// Sends a unicast message now.
    pub fn tell(&mut self, sender: NodeId, to: NodeId, bytes: usize) {
        self.radio.transmit(self.now, sender, Some(to), vec![sender.0 as u8; bytes]);
    }

    pub fn tally(&self) -> Tally {
        self.radio.tally()
    }

    /// How many copies a node has heard.
    pub fn heard_by(&self, node: NodeId) -> usize {
        self.heard.iter().filter(|(by, _)| *by == node).count()
    }
}
