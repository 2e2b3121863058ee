//! `docs/report.schema.json` is derived from the types that are written, so that no field is
//! missing there and none is left over. `UPDATE_GOLDEN=1 cargo test --lib report::schema`
//! writes it anew; read the difference before you keep it.

use super::document::Document;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use serde_json::{Value, json};
use std::path::Path;

fn derived() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with_transform(RecursiveTransform(without_null));
    settings.into_generator().into_root_schema_for::<Document>()
}

/// A field that may be left out is never null: each of them skips what there is not.
fn without_null(schema: &mut Schema) {
    let required: Vec<Value> = match schema.get("required") {
        Some(Value::Array(names)) => names.clone(),
        _ => Vec::new(),
    };
    let Some(Value::Object(properties)) = schema.get_mut("properties") else {
        return;
    };
    for (name, property) in properties.iter_mut() {
        let Value::Object(property) = property else {
            continue;
        };
        if required.contains(&json!(name)) {
            continue;
        }
        let mut single = None;
        if let Some(Value::Array(types)) = property.get_mut("type") {
            types.retain(|one| one != "null");
            single = (types.len() == 1).then(|| types.remove(0));
        }
        if let Some(single) = single {
            property.insert("type".to_string(), single);
        }
        let mut single = None;
        if let Some(Value::Array(cases)) = property.get_mut("anyOf") {
            cases.retain(|one| *one != json!({ "type": "null" }));
            single = (cases.len() == 1).then(|| cases.remove(0));
        }
        if let Some(Value::Object(single)) = single {
            property.remove("anyOf");
            property.extend(single);
        }
    }
}

#[test]
fn the_schema_is_that_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/report.schema.json");
    let text = serde_json::to_string_pretty(&derived()).expect("a schema is JSON") + "\n";
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).expect("the schema can be written");
    }
    let written = std::fs::read_to_string(&path).expect("the schema can be read");
    let written: Value = serde_json::from_str(&written).expect("the schema is JSON");
    assert!(
        written == *derived().as_value(),
        "docs/report.schema.json is not that of the types; \
         `UPDATE_GOLDEN=1 cargo test --lib report::schema` writes it anew"
    );
}

#[test]
fn a_field_that_may_be_left_out_is_not_null() {
    let mut schema = schemars::json_schema!({
        "required": ["always"],
        "properties": {
            "always": { "type": ["string", "null"] },
            "text": { "type": ["string", "null"] },
            "part": { "anyOf": [{ "$ref": "#/$defs/Part" }, { "type": "null" }] },
        },
    });
    RecursiveTransform(without_null).transform(&mut schema);
    let properties = &schema.as_value()["properties"];
    assert_eq!(properties["always"]["type"], json!(["string", "null"]));
    assert_eq!(properties["text"], json!({ "type": "string" }));
    assert_eq!(properties["part"], json!({ "$ref": "#/$defs/Part" }));
}
