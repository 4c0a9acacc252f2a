// "Connect a Model…": the person chooses whose models they are, gives a key where one is needed, and can choose among the
// models from then on. Promises: the key goes to the secret storage of VS Code and nowhere else; the settings are the
// person's own, never a workspace's; nothing is kept before the server was asked, unless the person says so.

import { QuickPickItemKind, ThemeIcon, type QuickPickItem } from 'vscode';
import { endpointsIn, type ConfiguredEndpoint } from '../../agent/models/endpoints.ts';
import { listModels } from '../../agent/models/listing.ts';
import { httpErrorIn } from '../../core/httpError.ts';
import { httpClient, httpLimits } from '../../node/http/client.ts';
import { fromPerson, keepForPerson } from '../personSettings.ts';
import type { EntryGate } from './entryGate.ts';
import { originOf } from './secretDestination.ts';
import type { Secrets } from './secrets.ts';
import { askForText, type TextQuestion } from '../notify/inputs.ts';
import { ask, showInfo } from '../notify/messages.ts';
import { pickOne } from '../notify/pickers.ts';
import { showProgress } from '../notify/progress.ts';

interface Vendor {
  readonly name: string;
  readonly words: string;
  readonly type: 'openai' | 'anthropic';
  readonly url: string;
  /** The address is the person's. */
  readonly own?: true;
  readonly key: 'needed' | 'optional';
}

const vendors: readonly Vendor[] = [
  {
    name: 'OpenAI',
    words: 'GPT models; needs a key',
    type: 'openai',
    url: 'https://api.openai.com/v1',
    key: 'needed',
  },
  {
    name: 'Anthropic',
    words: 'Claude models; needs a key',
    type: 'anthropic',
    url: 'https://api.anthropic.com/v1',
    key: 'needed',
  },
  {
    name: 'OpenRouter',
    words: 'Models of many providers; needs a key',
    type: 'openai',
    url: 'https://openrouter.ai/api/v1',
    key: 'needed',
  },
  {
    name: 'Ollama',
    words: 'Models on this machine',
    type: 'openai',
    url: 'http://127.0.0.1:11434/v1',
    own: true,
    key: 'optional',
  },
  {
    name: 'LM Studio',
    words: 'Models on this machine',
    type: 'openai',
    url: 'http://127.0.0.1:1234/v1',
    own: true,
    key: 'optional',
  },
  {
    name: 'vLLM',
    words: 'Your own server',
    type: 'openai',
    url: 'http://127.0.0.1:8000/v1',
    own: true,
    key: 'optional',
  },
  {
    name: 'Another…',
    words: 'Any server that speaks OpenAI’s chat completions',
    type: 'openai',
    url: 'https://',
    own: true,
    key: 'optional',
  },
];

export async function connectModel(secrets: Secrets, gate: Pick<EntryGate, 'agree'>): Promise<boolean> {
  const choice = await choose();
  if (!choice) return false;
  if ('remove' in choice) return remove(choice.remove, secrets);
  const vendor = choice.add;
  const name = vendor.name.endsWith('…') ? await askName() : vendor.name;
  if (name === undefined) return false;
  const connected = await connect({ ...vendor, name }, secrets, gate);
  if (connected === null) return false;
  void showInfo(
    connected === 0
      ? `${name} is connected. It lists no models: name them in the setting “throughline.models”.`
      : `${name} is connected: ${connected} ${connected === 1 ? 'model' : 'models'} can be chosen in the chat.`,
  );
  return true;
}

/** How many models it has; null where the person does not go on. What was wrong can be typed again. */
async function connect(vendor: Vendor, secrets: Secrets, gate: Pick<EntryGate, 'agree'>): Promise<number | null> {
  const { name, type } = vendor;
  const secret = `models.${name.replaceAll(/[^A-Za-z0-9_.-]/g, '-')}`;
  const isKnown = secrets.names().includes(secret);
  let url: string | undefined = vendor.url;
  let key: string | undefined;
  for (let wrong: Wrong = 'address'; ;) {
    if (vendor.own && wrong === 'address') url = await askAddress(name, url);
    if (url === undefined) return null;
    // What was not wrong is not asked for again.
    if (key === undefined || wrong === 'key') key = await askKey(name, vendor.key === 'optional', isKnown);
    if (key === undefined) return null;
    const keeps = key === '' && isKnown;
    const named = key === '' && !keeps ? '' : `\${secret:${secret}}`;
    const { endpoints } = endpointsIn({ [name]: { type, url, key: named } });
    const [endpoint] = endpoints;
    if (!endpoint) throw new Error('The address makes no sense.');
    const found = await tried(endpoint, keeps ? await secrets.resolve(named, originOf(url)) : key);
    if (found === null) return null;
    if (typeof found === 'string') {
      wrong = found;
      continue;
    }
    if (key !== '') await secrets.set(secret, key, originOf(url));
    await keep(gate, name, { type, url, ...(named === '' ? {} : { key: named }) });
    return found;
  }
}

type Choice = { readonly add: Vendor } | { readonly remove: string };

async function choose(): Promise<Choice | undefined> {
  const known = Object.keys(written());
  const title = 'Connect a model';
  const adds = vendors.map((vendor): QuickPickItem & { readonly choice: Choice } => ({
    label: vendor.name,
    description: known.includes(vendor.name) ? 'connected; choose it to set another key' : vendor.words,
    choice: { add: vendor },
  }));
  const removes = known.map((name): QuickPickItem & { readonly choice: Choice } => ({
    label: `Disconnect ${name}`,
    iconPath: new ThemeIcon('debug-disconnect'),
    choice: { remove: name },
  }));
  const placeHolder = 'Whose models? Keys are kept by VS Code, not in settings';
  const line = { label: 'Connected', kind: QuickPickItemKind.Separator, choice: undefined };
  const items = [...adds, ...(removes.length > 0 ? [line] : []), ...removes];
  return (await pickOne(items, { title, placeHolder, matchOnDescription: true }))?.choice;
}

function askName(): Promise<string | undefined> {
  return askTrimmed({
    title: 'Name of the server',
    prompt: 'It is shown where you choose a model.',
    validate: text => (/^[^/\s][^/]{0,40}$/.test(text.trim()) ? undefined : 'A name is short and has no “/” in it.'),
  });
}

function askAddress(name: string, value: string): Promise<string | undefined> {
  return askTrimmed({
    title: `Address of ${name}`,
    value,
    prompt: 'The base address of its API; it usually ends with /v1.',
    validate(text) {
      const { problems } = endpointsIn({ server: { url: text.trim() } });
      return problems.length === 0 ? undefined : 'An address begins with https:// or http://.';
    },
  });
}

function askKey(name: string, mayBeEmpty: boolean, isKnown: boolean): Promise<string | undefined> {
  const empty = isKnown
    ? ' Leave it empty to keep the current one.'
    : mayBeEmpty
      ? ' Leave it empty if it needs none.'
      : '';
  return askTrimmed({
    title: `Key for ${name}`,
    password: true,
    prompt: `Kept in VS Code’s secret storage, and sent to ${name} only.${empty}`,
    validate: text => (text.trim() !== '' || mayBeEmpty || isKnown ? undefined : `${name} needs a key.`),
  });
}

async function askTrimmed(options: TextQuestion): Promise<string | undefined> {
  return (await askForText({ ignoreFocusOut: true, ...options }))?.trim();
}

type Wrong = 'address' | 'key';

/** How many models it has; null where the person does not go on, and what they want to type again. */
async function tried(endpoint: ConfiguredEndpoint, key: string): Promise<number | null | Wrong> {
  const title = `Asking ${endpoint.name} for its models`;
  try {
    return await showProgress({ title, cancellable: true }, async (_report, cancelled) => {
      const signal = AbortSignal.any([cancelled, AbortSignal.timeout(15_000)]);
      return (await listModels({ endpoint, key, headers: {}, http: httpClient(httpLimits.listing) }, signal)).length;
    });
  } catch (cause) {
    const status = cause instanceof Error ? /answers with (\d+)/.exec(cause.message)?.[1] : undefined;
    const isKey = status === '401' || status === '403';
    const why = isKey
      ? 'It does not accept the key.'
      : status === undefined
        ? (httpErrorIn(cause)?.message ?? `It cannot be reached at ${endpoint.url}.`)
        : `It answers with ${status}.`;
    const text = `${endpoint.name} could not be asked for its models. ${why}`;
    const detail = ['You can connect it anyway and name its models in the setting “throughline.models”.'];
    const [again, go] = [isKey ? 'Change Key' : 'Try Again', 'Connect Anyway'];
    const choice = await ask({ severity: 'warning', text, detail, buttons: [again, go] });
    return choice === again ? (isKey ? 'key' : 'address') : choice === go ? 0 : null;
  }
}

async function remove(name: string, secrets: Secrets): Promise<boolean> {
  const { [name]: gone, ...rest } = written();
  const secret = /\$\{secret:([\w.-]+)\}/.exec(JSON.stringify(gone))?.[1];
  await keepForPerson('models', rest);
  if (secret === `models.${name.replaceAll(/[^A-Za-z0-9_.-]/g, '-')}`) await secrets.delete(secret);
  void showInfo(`${name} is disconnected, and its key is deleted.`);
  return false;
}

async function keep(gate: Pick<EntryGate, 'agree'>, name: string, endpoint: object): Promise<void> {
  const all = written();
  const before = (all[name] ?? {}) as object;
  const entry = { ...before, ...endpoint };
  // First, so that whoever learns of the new setting finds that it is agreed to.
  for (const value of endpointsIn({ [name]: entry }).endpoints) await gate.agree({ kind: 'model', name, value });
  await keepForPerson('models', { ...all, [name]: entry });
}

function written(): { readonly [name: string]: unknown } {
  const value = fromPerson('models');
  return typeof value === 'object' && value !== null ? (value as { readonly [name: string]: unknown }) : {};
}
