//! A tiny checker for well-formed XML, strict enough for what this module writes.

/// Panics with a reason unless `text` is one well-formed element.
pub fn check(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    let mut roots = 0;
    while let Some(start) = rest.find('<') {
        check_text(&rest[..start], !open.is_empty());
        let end = rest.find('>').expect("a tag is closed");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closing tag");
            continue;
        }
        let body = tag.strip_suffix('/').unwrap_or(tag);
        roots += usize::from(open.is_empty());
        let name = check_tag(body);
        if body.len() == tag.len() {
            open.push(name);
        }
    }
    check_text(rest, false);
    assert!(open.is_empty(), "never closed: {open:?}");
    assert_eq!(roots, 1, "one root");
}

fn check_tag(body: &str) -> &str {
    let name = body.split(' ').next().unwrap_or_default();
    assert!(!name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric()), "name {name:?}");
    let mut rest = body[name.len()..].trim_start();
    let mut seen = Vec::new();
    while !rest.is_empty() {
        let (key, value) = rest.split_once("=\"").expect("an attribute with a value in quotes");
        assert!(
            key.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-'),
            "attribute {key:?}"
        );
        assert!(!seen.contains(&key), "attribute {key} twice in <{body}>");
        seen.push(key);
        let (value, after) = value.split_once('"').expect("a closing quote");
        check_text(value, true);
        assert!(!value.contains('<'));
        rest = after.trim_start();
    }
    name
}

fn check_text(text: &str, allowed: bool) {
    assert!(allowed || text.trim().is_empty(), "text outside of the root: {text:?}");
    assert!(!text.contains('>') && !text.chars().any(char::is_control), "raw character in {text:?}");
    for part in text.split('&').skip(1) {
        let (entity, _) = part.split_once(';').expect("an entity ends");
        assert!(["amp", "lt", "gt", "quot", "#39"].contains(&entity), "entity {entity}");
    }
}

#[test]
#[should_panic(expected = "closing tag")]
fn a_wrong_closing_tag_is_found() {
    check("<svg><g></svg></g>");
}

#[test]
#[should_panic(expected = "twice")]
fn a_repeated_attribute_is_found() {
    check("<svg x=\"1\" x=\"2\"/>");
}
