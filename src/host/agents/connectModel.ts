// "Connect a Model…": the person chooses whose models they are, gives a key where one is needed, and can choose among the
// models from then on. Promises: the key goes to the secret storage of VS Code and nowhere else; the settings are the
// person's own, never a workspace's; nothing is kept before the server was asked, unless the person says so.

import { ProgressLocation, ThemeIcon, window, type QuickPickItem } from 'vscode';
import { endpointsIn, type ConfiguredEndpoint } from '../../agent/models/endpoints.ts';
import { listModels } from '../../agent/models/listing.ts';
import { fromPerson, keepForPerson } from '../personSettings.ts';
import type { Secrets } from './secrets.ts';

interface Vendor {
  readonly name: string;
  readonly detail: string;
  readonly type: 'openai' | 'anthropic';
  readonly url: string;
  /** The address is the person's. */
  readonly own?: true;
  readonly key: 'needed' | 'optional';
}

const vendors: readonly Vendor[] = [
  {
    name: 'OpenAI',
    detail: 'GPT models; needs a key',
    type: 'openai',
    url: 'https://api.openai.com/v1',
    key: 'needed',
  },
  {
    name: 'Anthropic',
    detail: 'Claude models; needs a key',
    type: 'anthropic',
    url: 'https://api.anthropic.com/v1',
    key: 'needed',
  },
  {
    name: 'OpenRouter',
    detail: 'Models of many; needs a key',
    type: 'openai',
    url: 'https://openrouter.ai/api/v1',
    key: 'needed',
  },
  {
    name: 'Ollama',
    detail: 'Models on this machine',
    type: 'openai',
    url: 'http://127.0.0.1:11434/v1',
    own: true,
    key: 'optional',
  },
  {
    name: 'LM Studio',
    detail: 'Models on this machine',
    type: 'openai',
    url: 'http://127.0.0.1:1234/v1',
    own: true,
    key: 'optional',
  },
  {
    name: 'vLLM',
    detail: 'Your own server',
    type: 'openai',
    url: 'http://127.0.0.1:8000/v1',
    own: true,
    key: 'optional',
  },
  {
    name: 'Another…',
    detail: 'Any server that speaks OpenAI’s chat completions',
    type: 'openai',
    url: 'https://',
    own: true,
    key: 'optional',
  },
];

export async function connectModel(secrets: Secrets): Promise<boolean> {
  const choice = await choose();
  if (!choice) return false;
  if ('remove' in choice) return remove(choice.remove, secrets);
  const vendor = choice.add;
  const name = vendor.name.endsWith('…') ? await askName() : vendor.name;
  if (name === undefined) return false;
  const url = vendor.own ? await askAddress(name, vendor.url) : vendor.url;
  if (url === undefined) return false;
  const secret = `models.${name.replaceAll(/[^A-Za-z0-9_.-]/g, '-')}`;
  const isKnown = secrets.names().includes(secret);
  const key = await askKey(name, vendor.key === 'optional', isKnown);
  if (key === undefined) return false;
  const keeps = key === '' && isKnown;
  const named = key === '' && !keeps ? '' : `\${secret:${secret}}`;
  const { endpoints } = endpointsIn({ [name]: { type: vendor.type, url, key: named } });
  const [endpoint] = endpoints;
  if (!endpoint) throw new Error('The address makes no sense.');
  const found = await tried(endpoint, keeps ? await secrets.resolve(named) : key);
  if (found === null) return false;
  if (key !== '') await secrets.set(secret, key);
  await keep(name, { type: vendor.type, url, ...(named === '' ? {} : { key: named }) });
  void window.showInformationMessage(
    found === 0
      ? `${name} is connected. It lists no models: name them in the setting “throughline.models”.`
      : `${name} is connected: ${found} ${found === 1 ? 'model' : 'models'} can be chosen in the chat.`,
  );
  return true;
}

type Choice = { readonly add: Vendor } | { readonly remove: string };

async function choose(): Promise<Choice | undefined> {
  const known = Object.keys(written());
  const title = 'Connect a model';
  const adds = vendors.map((vendor): QuickPickItem & { readonly choice: Choice } => ({
    label: vendor.name,
    detail: vendor.detail,
    ...(known.includes(vendor.name) ? { description: 'connected; choose it to set another key' } : {}),
    choice: { add: vendor },
  }));
  const removes = known.map((name): QuickPickItem & { readonly choice: Choice } => ({
    label: `Disconnect ${name}`,
    iconPath: new ThemeIcon('debug-disconnect'),
    choice: { remove: name },
  }));
  const placeHolder = 'Whose models? Keys are kept by VS Code, not in settings';
  return (await window.showQuickPick([...adds, ...removes], { title, placeHolder, matchOnDetail: true }))?.choice;
}

function askName(): Promise<string | undefined> {
  return ask({
    title: 'Name of the server',
    prompt: 'As it is to be called where a model is chosen.',
    validateInput: text =>
      /^[^/\s][^/]{0,40}$/.test(text.trim()) ? undefined : 'A name is short and has no “/” in it.',
  });
}

function askAddress(name: string, value: string): Promise<string | undefined> {
  return ask({
    title: `Address of ${name}`,
    value,
    prompt: 'Where its API begins; it mostly ends with /v1.',
    validateInput(text) {
      const { problems } = endpointsIn({ server: { url: text.trim() } });
      return problems.length === 0 ? undefined : 'An address begins with https:// or http://.';
    },
  });
}

function askKey(name: string, mayBeEmpty: boolean, isKnown: boolean): Promise<string | undefined> {
  const empty = isKnown
    ? ' Leave it empty to keep the one that there is.'
    : mayBeEmpty
      ? ' Leave it empty if it wants none.'
      : '';
  return ask({
    title: `Key for ${name}`,
    password: true,
    prompt: `It is kept in the secret storage of VS Code, and sent to ${name} only.${empty}`,
    validateInput: text => (text.trim() !== '' || mayBeEmpty || isKnown ? undefined : `${name} needs a key.`),
  });
}

async function ask(options: Parameters<typeof window.showInputBox>[0]): Promise<string | undefined> {
  return (await window.showInputBox({ ignoreFocusOut: true, ...options }))?.trim();
}

/** How many models it has; null where the person does not go on. */
async function tried(endpoint: ConfiguredEndpoint, key: string): Promise<number | null> {
  const title = `Asking ${endpoint.name} for its models`;
  const options = { location: ProgressLocation.Notification, title, cancellable: true };
  try {
    return await window.withProgress(options, async (_progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(15_000)]);
      return (await listModels({ endpoint, key, headers: {}, fetch: globalThis.fetch }, signal)).length;
    });
  } catch (cause) {
    const status = cause instanceof Error ? /answers with (\d+)/.exec(cause.message)?.[1] : undefined;
    const why =
      status === '401' || status === '403'
        ? 'It does not accept the key.'
        : status === undefined
          ? `It cannot be reached at ${endpoint.url}.`
          : `It answers with ${status}.`;
    const question = `${endpoint.name} could not be asked for its models. ${why}`;
    const detail = 'You can connect it all the same, and name its models in the setting “throughline.models”.';
    const go = 'Connect Anyway';
    return (await window.showWarningMessage(question, { modal: true, detail }, go)) === go ? 0 : null;
  }
}

async function remove(name: string, secrets: Secrets): Promise<boolean> {
  const { [name]: gone, ...rest } = written();
  const secret = /\$\{secret:([\w.-]+)\}/.exec(JSON.stringify(gone))?.[1];
  await keepForPerson('models', rest);
  if (secret === `models.${name.replaceAll(/[^A-Za-z0-9_.-]/g, '-')}`) await secrets.delete(secret);
  void window.showInformationMessage(`${name} is disconnected, and its key is deleted.`);
  return false;
}

async function keep(name: string, endpoint: object): Promise<void> {
  const all = written();
  const before = (all[name] ?? {}) as object;
  await keepForPerson('models', { ...all, [name]: { ...before, ...endpoint } });
}

function written(): { readonly [name: string]: unknown } {
  const value = fromPerson('models');
  return typeof value === 'object' && value !== null ? (value as { readonly [name: string]: unknown }) : {};
}
