// What outlives an update, as flat lists of names read from the manifest and the sources: the test beside this file compares
// them with the fixture, which may only grow, and with docs/compatibility.md.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { modelsRef, scoutRef } from '../../src/agent/refs.ts';
import { exchangeFormat, exchangeVersion, travel } from '../../src/core/exchange/exchange.ts';
import { formerSystemPromptKey } from '../../src/node/history/index/sessionSummary.ts';
import { keptKey, leftInTrashKey } from '../../src/core/retentionRules.ts';
import {
  chatPanelType,
  chatViewId,
  openTraceCommand,
  schemes,
  sessionsViewId,
  showMoreCommand,
} from '../../src/host/contributed.ts';
import { recordVersion } from '../../src/model/record.ts';
import { exportFormat, exportSchema } from '../../src/node/history/export/exportSchema.ts';
import { homeFormat } from '../../src/node/history/home/home.ts';
import { repository } from '../vscode/places.ts';

export type Contract = { readonly [list: string]: readonly string[] };

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly scope?: string;
  readonly properties?: { readonly [name: string]: Schema };
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface Contributes {
  readonly commands: readonly { readonly command: string }[];
  readonly views: { readonly [container: string]: readonly { readonly id: string }[] };
  readonly viewsContainers: { readonly [place: string]: readonly { readonly id: string }[] };
  readonly configuration: { readonly properties: { readonly [key: string]: Schema } };
  readonly walkthroughs: readonly { readonly id: string; readonly steps: readonly { readonly id: string }[] }[];
  readonly languageModelTools?: readonly { readonly name: string }[];
  readonly chatParticipants?: readonly { readonly id: string }[];
}

const read = (file: string) => readFileSync(join(repository, file), 'utf8');

/** Everything that the repository promises now. */
export function currentContract(): Contract {
  const manifest = JSON.parse(read('package.json')) as { readonly contributes: Contributes };
  const { contributes } = manifest;
  const views = Object.values(contributes.views).flatMap(list => list.map(({ id }) => id));
  const settings = Object.entries(contributes.configuration.properties);
  const lists: Contract = {
    commands: [...contributes.commands.map(({ command }) => command), showMoreCommand, openTraceCommand],
    viewContainers: Object.values(contributes.viewsContainers).flatMap(list => list.map(({ id }) => id)),
    views: [...views, sessionsViewId, chatViewId],
    editors: [chatPanelType],
    settings: settings.map(([key]) => key),
    settingTypes: settings.map(([key, { type = '', scope = '' }]) => `${key}: ${type}, ${scope}`),
    settingValues: settings.flatMap(([key, schema]) => valuesIn(key, schema)),
    settingFields: settings.flatMap(([key, schema]) => fieldsIn(key, schema)),
    contextKeys: contextKeys(contributes, [...views, chatPanelType]),
    walkthroughs: contributes.walkthroughs.flatMap(({ id, steps }) => [id, ...steps.map(step => `${id}#${step.id}`)]),
    languageModelTools: (contributes.languageModelTools ?? []).map(({ name }) => name),
    chatParticipants: (contributes.chatParticipants ?? []).map(({ id }) => id),
    builtInAgents: [modelsRef.id, scoutRef.id],
    uriSchemes: Object.values(schemes),
    ...mementoKeys(),
    sessionMetadata: [keptKey, leftInTrashKey, formerSystemPromptKey, ...metadataKeys()],
    facts: [...read('src/model/record.ts').matchAll(/readonly type: '(\w+)'/g)].map(([, type = '']) => type),
    fields: unionOf('src/model/record.ts', 'FieldName'),
    blocks: [...read('src/model/message.ts').matchAll(/readonly kind: ('\w+'(?: \| '\w+')*);/g)].flatMap(quoted),
    stopReasons: unionOf('src/model/message.ts', 'StopReason'),
    toolStatuses: unionOf('src/model/message.ts', 'ToolStatus'),
    fileDecisions: unionOf('src/model/changes.ts', 'Decision'),
    exportedFields: Object.entries(travel).flatMap(([name, { exported }]) => (exported ? [name] : [])),
    sqliteColumns: sqliteColumns(),
    formats: [
      `record ${recordVersion}`,
      `workspace.json ${homeFormat}`,
      `${exchangeFormat} ${exchangeVersion}`,
      `sqlite ${exportFormat}`,
    ],
  };
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...new Set(list)].toSorted()]));
}

function quoted([, list = '']: readonly string[]): readonly string[] {
  return [...list.matchAll(/'(\w+)'/g)].map(([, word = '']) => word);
}

/** The members of a union of texts, by its name. */
function unionOf(file: string, name: string): readonly string[] {
  const [, body = ''] = new RegExp(`^export type ${name} =([^]*?');$`, 'm').exec(read(file)) ?? [];
  const withoutComments = body.replaceAll(/\/\*\*[^]*?\*\//g, '');
  return [...withoutComments.matchAll(/'(\w+)'/g)].map(([, member = '']) => member);
}

function valuesIn(key: string, schema: Schema): readonly string[] {
  const own = (schema.enum ?? []).map(value => `${key} = ${value}`);
  return [...own, ...inside(key, schema).flatMap(([name, one]) => valuesIn(name, one))];
}

function fieldsIn(key: string, schema: Schema): readonly string[] {
  return inside(key, schema).flatMap(([name, one]) => [...(/[*\]]$/.test(name) ? [] : [name]), ...fieldsIn(name, one)]);
}

function inside(key: string, schema: Schema): readonly (readonly [string, Schema])[] {
  const { properties = {}, additionalProperties, items, anyOf = [] } = schema;
  return [
    ...Object.entries(properties).map(([name, one]) => [`${key}.${name}`, one] as const),
    ...(typeof additionalProperties === 'object' ? [[`${key}.*`, additionalProperties] as const] : []),
    ...(items ? [[`${key}[]`, items] as const] : []),
    ...anyOf.flatMap(one => inside(key, one)),
  ];
}

/** Those of ours that conditions of the manifest name: users write them in conditions of their own. */
function contextKeys(contributes: Contributes, others: readonly string[]): readonly string[] {
  const conditions: string[] = [];
  JSON.stringify(contributes, (name, value: unknown) => {
    if ((name === 'when' || name === 'enablement') && typeof value === 'string') conditions.push(value);
    if (name === 'completionEvents' && Array.isArray(value))
      conditions.push(...value.flatMap(event => /^onContext:(.*)$/.exec(String(event))?.[1] ?? []));
    return value;
  });
  const keys = conditions.flatMap(condition => condition.match(/\bthroughline\.\w+/g) ?? []);
  return keys.filter(key => !others.includes(key));
}

/** The keys under which VS Code keeps something of ours: which of its two stores a file uses is what the fixture says. */
function mementoKeys(): { readonly mementoKeys: readonly string[] } {
  const keys: string[] = [];
  const unresolved: string[] = [];
  for (const file of globSync('src/host/**/*.ts', { cwd: repository })) {
    const text = read(file);
    for (const [, argument = ''] of text.matchAll(
      /\b(?:state|workspaceState|globalState)\s*\.(?:get|update)(?:<[^(]*>)?\(\s*([^,)\s]+)/g,
    )) {
      const key = argument.startsWith("'")
        ? argument.slice(1, -1)
        : new RegExp(`^const ${argument} = '([^']+)'`, 'm').exec(text)?.[1];
      if (key === undefined) unresolved.push(`${file}: ${argument}`);
      else keys.push(key);
    }
  }
  if (unresolved.length > 0) throw new Error(`These keys of a Memento cannot be read here: ${unresolved.join(', ')}`);
  return { mementoKeys: keys };
}

/** Those that a fact is written with by their own name. */
function metadataKeys(): readonly string[] {
  const texts = globSync('src/{core,host}/**/*.ts', { cwd: repository }).map(read);
  return texts.flatMap(text => [...text.matchAll(/name: 'metadata',\s*of: '(\w+)'/g)].map(([, key = '']) => key));
}

function sqliteColumns(): readonly string[] {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec(exportSchema);
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    return tables.flatMap(({ name }) =>
      database
        .prepare('SELECT name FROM pragma_table_info(?)')
        .all(name ?? '')
        .map(column => `${String(name)}.${String(column['name'])}`),
    );
  } finally {
    database.close();
  }
}
