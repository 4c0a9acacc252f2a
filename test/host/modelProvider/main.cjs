// An extension that gives VS Code a language model, for host tests: what it answers is told by the last words that it is
// given.

'use strict';

const vscode = require('vscode');

const info = {
  id: 'echo',
  name: 'Echo',
  family: 'echo',
  version: '1',
  maxInputTokens: 9000,
  maxOutputTokens: 1000,
  capabilities: { toolCalling: true, imageInput: true },
};

const textOf = message =>
  message.content.map(part => (typeof part.value === 'string' ? part.value : JSON.stringify(part))).join('');

async function answer(_model, messages, options, progress, token) {
  const texts = messages.map(textOf);
  const last = texts.at(-1);
  if (last === 'blocked') throw vscode.LanguageModelError.Blocked('the limit of today');
  if (last === 'breaks') throw new Error('Out of memory');
  if (last === 'use a tool') {
    progress.report(new vscode.LanguageModelToolCallPart('call1', options.tools[0].name, { path: 'a.txt' }));
    return;
  }
  progress.report(new vscode.LanguageModelTextPart('You said: '));
  if (last === 'hang') {
    await new Promise(resolve => token.onCancellationRequested(resolve));
    await vscode.commands.executeCommand('setContext', 'throughlineTest.cancelled', true);
    return;
  }
  progress.report(new vscode.LanguageModelTextPart(texts.join(' | ')));
}

exports.activate = context => {
  const provider = {
    provideLanguageModelChatInformation: () => [info],
    provideLanguageModelChatResponse: answer,
    provideTokenCount: (_model, text) => Promise.resolve((typeof text === 'string' ? text : textOf(text)).length),
  };
  const reverse = {
    invoke: ({ input }) =>
      new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart([...input.words].reverse().join(''))]),
  };
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('throughline-test', provider),
    vscode.lm.registerTool('throughline_test_reverse', reverse),
  );
};
