//! Objects and terrain from their descriptions.

use super::equipment::aspects;
use super::spec::{ObjectSpec, ShapeSpec, TerrainSpec};
use crewlab_sim::onboard::geometry::{Pose, Vec2, vec2};
use crewlab_sim::world::{Emission, Object, Script, Shape, Terrain};

fn points(list: &[[f64; 2]]) -> Vec<Vec2> {
    list.iter().map(|[x, y]| vec2(*x, *y)).collect()
}

/// An object from its description, or what is wrong with it.
pub(super) fn object(spec: &ObjectSpec) -> Result<Object, String> {
    let shape = match &spec.shape {
        ShapeSpec::Rectangle([width, height]) if *width > 0.0 && *height > 0.0 => {
            Shape::rectangle(*width, *height)
        }
        ShapeSpec::Rectangle(_) => return Err("a rectangle's width and height must be above 0 m".into()),
        ShapeSpec::Circle(radius) => Shape::Circle { radius: *radius },
        ShapeSpec::Polygon(corners) => Shape::convex(points(corners))?,
        ShapeSpec::Wall([a, b]) if a != b => Shape::Segment(vec2(a[0], a[1]), vec2(b[0], b[1])),
        ShapeSpec::Wall(_) => return Err("a wall needs two different ends".into()),
    };
    let mut object = Object::obstacle(&spec.name, shape, Pose::new(spec.at[0], spec.at[1], spec.heading));
    object.penetrability = spec.penetrability;
    object.height = spec.height;
    object.dust = spec.dust;
    object.garbage = spec.garbage;
    object.heat = spec.heat;
    object.aspects = aspects(&spec.aspects);
    let sounds = spec.sounds.iter().map(|s| Emission::Sound { frequency: s.frequency, level: s.level });
    let beacon = spec.beacon.iter().map(|b| Emission::Beacon { code: b.code.clone(), level: b.level });
    object.emissions = sounds.chain(beacon).collect();
    object.script = spec.path.as_ref().map(|path| Script {
        points: points(&path.points),
        speed: path.speed,
        repeat: path.repeat,
        next: 0,
    });
    Ok(object)
}

/// Terrain from its description, or what is wrong with it.
pub(super) fn terrain(spec: &TerrainSpec, low: Vec2) -> Result<Terrain, String> {
    let columns = spec.rows.first().map_or(0, Vec::len);
    if columns == 0 {
        return Err("terrain needs at least one row with one factor".into());
    }
    if let Some(row) = spec.rows.iter().position(|row| row.len() != columns) {
        return Err(format!("row {} has {} factors, the first has {columns}", row + 1, spec.rows[row].len()));
    }
    if spec.rows.iter().flatten().any(|factor| *factor < 0.0) {
        return Err("factors must not be negative".into());
    }
    Ok(Terrain {
        origin: spec.at.map_or(low, |[x, y]| vec2(x, y)),
        cell: spec.cell,
        columns,
        rows: spec.rows.len(),
        factors: spec.rows.iter().rev().flatten().copied().collect(),
    })
}
