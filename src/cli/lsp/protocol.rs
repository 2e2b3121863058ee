//! The messages of the protocol, as far as they are used here (LSP 3.17).

use super::documents::Change;
use super::position::{Position, Range};
use serde::Deserialize;
use serde_json::{Value, json};

/// Error codes of JSON-RPC and of the protocol.
pub const PARSE_ERROR: i32 = -32700;
pub const INVALID_REQUEST: i32 = -32600;
pub const METHOD_NOT_FOUND: i32 = -32601;
pub const INVALID_PARAMS: i32 = -32602;
pub const NOT_INITIALIZED: i32 = -32002;
pub const REQUEST_CANCELLED: i32 = -32800;

/// How important a line of the log is.
#[derive(Clone, Copy, Debug)]
pub enum Importance {
    Error = 1,
    Information = 3,
}

#[derive(Debug, Deserialize)]
pub struct TextDocument {
    pub uri: String,
}

#[derive(Debug, Deserialize)]
pub struct VersionedDocument {
    pub uri: String,
    pub version: i64,
}

#[derive(Debug, Deserialize)]
pub struct OpenedDocument {
    pub uri: String,
    pub version: i64,
    pub text: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DidOpen {
    pub text_document: OpenedDocument,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DidChange {
    pub text_document: VersionedDocument,
    pub content_changes: Vec<Change>,
}

/// Of a text that was closed or saved.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AboutDocument {
    pub text_document: TextDocument,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AboutPosition {
    pub text_document: TextDocument,
    pub position: Position,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeActions {
    pub text_document: TextDocument,
    pub range: Range,
    #[serde(default)]
    pub context: CodeActionContext,
}

#[derive(Debug, Default, Deserialize)]
pub struct CodeActionContext {
    pub only: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
pub struct ExecuteCommand {
    pub command: String,
    #[serde(default)]
    pub arguments: Vec<Value>,
}

#[derive(Debug, Deserialize)]
pub struct Token {
    pub token: Value,
}

#[derive(Debug, Deserialize)]
pub struct Cancel {
    pub id: Value,
}

/// What a user may set, in the editor's settings.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// Whether a text that is saved is judged.
    pub verdict_on_save: bool,
    /// Whether something is then looked for that would mend it.
    pub remedies_on_save: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            verdict_on_save: true,
            remedies_on_save: true,
        }
    }
}

pub fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

pub fn request(id: &str, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

pub fn response(id: &Value, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

pub fn failure(id: &Value, code: i32, message: &str) -> Value {
    let error = json!({ "code": code, "message": message });
    json!({ "jsonrpc": "2.0", "id": id, "error": error })
}
