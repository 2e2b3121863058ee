// Activates the extension in a folder, with an editor that is made up: what it starts, what its
// command asks for, and whether it stops.
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const Module = require('node:module');
const said = [];
const commands = new Map();
const vscode = {
  commands: {
    registerCommand: (name, action) => (commands.set(name, action), { dispose() {} }),
    executeCommand: async (name, ...given) => {
      if (name === 'respin.verdict') said.push(`asked for the verdict of ${given[0]}`);
    },
  },
  window: {
    activeTextEditor: { document: { uri: { toString: () => 'file:///a.v' } } },
    showErrorMessage: (text) => said.push(text),
  },
  workspace: {
    getConfiguration: () => ({ get: (name) => (name === 'path' ? 'respin' : true) }),
    onDidChangeConfiguration: () => ({ dispose() {} }),
  },
};
class LanguageClient {
  constructor(id, name, server, options) {
    this.server = server;
    if (!options.documentSelector.some((one) => one.language === 'spectra')) said.push('no Spectra');
  }
  async start() {
    said.push(`started ${this.server.command} ${this.server.args.join(' ')}`);
  }
  async stop() {
    said.push('stopped');
  }
}
const load = Module._load;
Module._load = (name, ...rest) => {
  if (name === 'vscode') return vscode;
  if (name === 'vscode-languageclient/node') {
    return { LanguageClient, TransportKind: { stdio: 0 } };
  }
  return load(name, ...rest);
};
const extension = require(path.join(process.argv[2], 'extension.js'));
await extension.activate({ subscriptions: [] });
await commands.get('respin.judge')();
await extension.deactivate();
console.log(said.join(', '));
