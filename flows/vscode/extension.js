// Starts `respin lsp` and hands texts to it; everything else is the server's business.
'use strict';

const vscode = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

const LANGUAGES = ['verilog', 'systemverilog', 'respin-properties', 'spectra', 'tlsf', 'slugs'];

let client;

function settings() {
  const all = vscode.workspace.getConfiguration('respin');
  return {
    verdictOnSave: all.get('verdictOnSave'),
    remediesOnSave: all.get('remediesOnSave'),
  };
}

async function start() {
  const command = vscode.workspace.getConfiguration('respin').get('path');
  client = new LanguageClient(
    'respin',
    'respin',
    { command, args: ['lsp'], transport: TransportKind.stdio },
    {
      documentSelector: LANGUAGES.map((language) => ({ scheme: 'file', language })),
      initializationOptions: settings(),
    },
  );
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `respin does not start: ${error.message}. The setting respin.path says where it is.`,
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) {
    await running.stop();
  }
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand('respin.restart', async () => {
      await stop();
      await start();
    }),
    vscode.commands.registerCommand('respin.judge', () => {
      const editor = vscode.window.activeTextEditor;
      if (editor) {
        return vscode.commands.executeCommand('respin.verdict', editor.document.uri.toString());
      }
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (client && change.affectsConfiguration('respin')) {
        const respin = settings();
        client.sendNotification('workspace/didChangeConfiguration', { settings: { respin } });
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
