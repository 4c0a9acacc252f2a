// The secrets of this window, and what stands before each entry of the settings that names programs, servers and secrets.
// Where the settings are the person's own, on a local extension host, entries are used as they are; on a remote `entryConsent.ts`
// decides, which is loaded when the first one is about to be used.

import { ExtensionKind, workspace, type ExtensionContext } from 'vscode';
import { once } from '../once.ts';
import type { EntryConsent } from './entryConsent.ts';
import { QuestionQueue } from './questionQueue.ts';
import { Secrets, type SecretsPorts } from './secrets.ts';
import { destinationOf, secretsOf, type SettingsEntry } from './settingsEntry.ts';

export interface EntryGate {
  /** Why it can't be used, as sentences for a person; null where it can. Asks only where `mayAsk`. */
  readonly refusal: (entry: SettingsEntry, mayAsk: boolean) => Promise<string | null>;
  /** Whether using one of them would ask the person, about it or about a secret that it names. */
  readonly asksAbout: (entries: readonly SettingsEntry[]) => Promise<boolean>;
  /** The person wrote it themselves, with us. */
  readonly agree: (entry: SettingsEntry) => Promise<void>;
  /** Whether a question is open. */
  readonly isAsking: () => boolean;
}

export interface GateWindow {
  readonly isRemote: boolean;
  readonly isTrusted: () => boolean;
  readonly storage: SecretsPorts['storage'];
  readonly state: SecretsPorts['state'];
}

/**
 * VS Code says where the extension runs: it's a UI extension wherever there is no remote extension host, and a workspace
 * extension in containers, over SSH, in WSL and in a browser that shows a server. `env.remoteName` is set in local extension
 * hosts too.
 */
export function gateIn({ extension, secrets, globalState }: ExtensionContext) {
  const isRemote = extension.extensionKind === ExtensionKind.Workspace;
  return openGate({ isRemote, isTrusted: () => workspace.isTrusted, storage: secrets, state: globalState });
}

export function openGate({ isRemote, isTrusted, storage, state }: GateWindow): {
  readonly secrets: Secrets;
  readonly gate: EntryGate;
} {
  const queue = new QuestionQueue();
  const late = () => import('./entryConsent.ts');
  const secrets = new Secrets({
    storage,
    state,
    isRemote,
    ask: async question => (await late()).askAboutSecret(question, queue),
  });
  const consent = once(async (): Promise<EntryConsent> => {
    const module = await late();
    return new module.EntryConsent({ state, secrets, queue, isTrusted });
  });
  return {
    secrets,
    gate: {
      refusal: async (entry, mayAsk) => (isRemote ? (await consent()).refusal(entry, mayAsk) : null),
      async asksAbout(entries) {
        if (entries.some(entry => secrets.wouldAsk(secretsOf(entry), destinationOf(entry)))) return true;
        if (!isRemote || entries.length === 0) return false;
        const asked = await consent();
        return entries.some(entry => asked.isUndecided(entry));
      },
      async agree(entry) {
        if (isRemote) await (await consent()).agree(entry);
      },
      isAsking: () => queue.isAsking,
    },
  };
}
