// Which built-in agents there are, and how each is loaded when it is first talked to: at the other end of a stream in this
// process.

import { aboutModels, aboutScout, modelsRef, scoutRef } from '../../agent/refs.ts';
import { newestKept } from '../personSettings.ts';
import type { BuiltIn } from './agents.ts';
import type { BuiltInWindow } from './builtInAgents.ts';
import type { LocalModels } from './localModels.ts';

export interface BuiltInPorts extends BuiltInWindow {
  readonly local: () => Promise<LocalModels>;
}

export function builtInFor(window: BuiltInPorts): { readonly scout: BuiltIn; readonly models: BuiltIn } {
  const load = () => Promise.all([import('./builtInAgents.ts'), import('../../node/agentProgram.ts')]);
  const onWarning = (words: string) => window.report.warn(words);
  return {
    scout: {
      ref: scoutRef,
      detail: 'Built in: searches and reads without AI, keys or network',
      async load(of) {
        const [{ scoutTransport }, { builtInProgram }] = await load();
        const open = () => scoutTransport(window);
        return builtInProgram({ ref: scoutRef, about: aboutScout, open, onWarning }, of);
      },
    },
    models: {
      ref: modelsRef,
      detail: 'Built in: works with the models that you connect',
      async load(of) {
        const [[{ modelsTransport, modelsAskFirst }, { builtInProgram }], local] = await Promise.all([
          load(),
          window.local(),
        ]);
        await local.look();
        const open = () => modelsTransport(window, local);
        const asksFirst = () => modelsAskFirst(window);
        return builtInProgram(
          { ref: modelsRef, about: aboutModels, hasWindow: true, newestKept, open, onWarning, asksFirst },
          of,
        );
      },
    },
  };
}
