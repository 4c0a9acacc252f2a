// The tools that other extensions give VS Code's language models, as tools of the loop. Promises: the person is asked before
// each use, since what one does is not known here; what is not text in its result is left out and named. Those that VS Code
// and its own chat have for files, searches and terminals are passed over: ours do the same through the guard.

import { CancellationTokenSource, LanguageModelTextPart, lm, type LanguageModelToolInformation } from 'vscode';
import { keepBeginning } from '../../agent/tools/bounded.ts';
import { notAllowed, type Tool } from '../../agent/tools/tool.ts';

const most = 64;

export function editorTools(): readonly Tool[] {
  const others = lm.tools.filter(({ name }) => !/^(copilot|vscode)_/.test(name) && /^[\w-]{1,64}$/.test(name));
  return others.slice(0, most).map(toolOf);
}

function toolOf({ name, description, inputSchema }: LanguageModelToolInformation): Tool {
  return {
    name,
    description,
    changes: true,
    anywhere: true,
    required: [],
    input: (inputSchema as Tool['input'] | undefined) ?? { type: 'object', properties: {} },
    show: () => ({ title: name, kind: 'other' }),
    async use(input, { ask, client: { signal } }) {
      if (!(await ask())) return { text: notAllowed, failed: true };
      const source = new CancellationTokenSource();
      const stop = () => source.cancel();
      signal.addEventListener('abort', stop, { once: true });
      try {
        const { content } = await lm.invokeTool(name, { input, toolInvocationToken: undefined }, source.token);
        const text = content.map(part => (part instanceof LanguageModelTextPart ? part.value : '[no text]')).join('\n');
        return { text: keepBeginning(text === '' ? '[It gave nothing back.]' : text, 'Ask for less.') };
      } finally {
        signal.removeEventListener('abort', stop);
        source.dispose();
      }
    },
  };
}
