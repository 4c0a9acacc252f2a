// "Manage Secrets…": the names of what is kept, to add one, give one a new value, or delete one. It shows no value, and
// what is typed is hidden.

import { ThemeIcon, type QuickInputButton, type QuickPickItem } from 'vscode';
import { isSecretName, whyNoName, type Secrets } from './secrets.ts';
import { askForText } from '../notify/inputs.ts';
import { ask } from '../notify/messages.ts';
import { Picker } from '../notify/pickers.ts';

interface SecretItem extends QuickPickItem {
  /** Null adds one. */
  readonly name: string | null;
}

type Choice = { readonly do: 'add' } | { readonly do: 'replace' | 'delete'; readonly name: string };

const deleteButton: QuickInputButton = { iconPath: new ThemeIcon('trash'), tooltip: 'Delete' };

export async function manageSecrets(secrets: Secrets): Promise<void> {
  const choice = await choose(secrets.names());
  if (!choice) return;
  if (choice.do === 'delete') return remove(secrets, choice.name);
  const name = choice.do === 'add' ? await askName(secrets.names()) : choice.name;
  if (name !== undefined) await askValue(secrets, name);
}

export function secretItems(names: readonly string[]): SecretItem[] {
  const add: SecretItem = {
    name: null,
    label: 'Add a secret…',
    iconPath: new ThemeIcon('add'),
    ...(names.length === 0 ? { detail: 'No secrets yet. Write ${secret:NAME} in settings to use one.' } : {}),
  };
  const items = names.map((name): SecretItem => ({
    name,
    label: name,
    description: 'Change its value',
    buttons: [deleteButton],
  }));
  return [...items, add];
}

function choose(names: readonly string[]): Promise<Choice | undefined> {
  const picker = new Picker<SecretItem>();
  picker.set({
    title: 'Secrets for your agents',
    placeholder: 'Write ${secret:NAME} in settings; the value is kept by VS Code',
    rows: secretItems(names),
  });
  return new Promise<Choice | undefined>(resolve => {
    picker.onRowButton(({ name }) => resolve(name === null ? undefined : { do: 'delete', name }));
    picker.onAccept(() => {
      const [item] = picker.selected;
      resolve(item && (item.name === null ? { do: 'add' } : { do: 'replace', name: item.name }));
    });
    picker.onHide(() => resolve(undefined));
    picker.show();
  }).finally(() => picker.dispose());
}

async function askName(names: readonly string[]): Promise<string | undefined> {
  return askForText({
    title: 'Name of the new secret',
    prompt: 'Write ${secret:NAME} in settings to use it.',
    ignoreFocusOut: true,
    validate(name) {
      if (!isSecretName(name)) return whyNoName;
      return names.includes(name) ? 'There is a secret of this name already.' : undefined;
    },
  });
}

async function askValue(secrets: Secrets, name: string): Promise<void> {
  const value = await askForText({
    title: `Value of “${name}”`,
    prompt: 'Kept in VS Code’s secret storage. An agent whose settings name it gets it when it starts.',
    password: true,
    ignoreFocusOut: true,
    validate: typed => (typed === '' ? 'It must not be empty.' : undefined),
  });
  if (value) await secrets.set(name, value);
}

async function remove(secrets: Secrets, name: string): Promise<void> {
  const text = `Delete the secret “${name}”?`;
  const detail = ['An agent whose settings name it cannot be started until it is set again.'];
  const choice = await ask({ severity: 'warning', text, detail, buttons: ['Delete'] });
  if (choice) await secrets.delete(name);
}
