// "Always allow" as a rule of this workspace. A rule stands for one agent and one of these: reading, searching, editing or
// moving files of the workspace that aren't sensitive, thinking, fetching from one host, or exactly one command in one
// folder. What can't be told apart gets no rule. The host keeps, lists and removes rules.

import { alwaysByRule, type Permission, type PermissionChoice } from '../../model/agentState.ts';
import type { Json } from '../../model/message.ts';
import { maySeeAllow } from '../../model/permissionSize.ts';
import { fieldsOf, fileKinds, hasChanges, isWebAddress, pathsIn, stringsIn } from './askedPaths.ts';

export interface AllowRule {
  /** The agent's id. */
  readonly agent: string;
  /** `keyed`; in rules that f23b1dd stored, ACP's kind of tool. */
  readonly tool: string;
  /** JSON of the kind and what it is limited to; in rules of f23b1dd a command as a line, or null for all of the kind. */
  readonly command: string | null;
  /** What follows on "Always". */
  readonly words: string;
}

export interface AllowRules {
  /** Of this workspace, as they are now. */
  readonly all: () => readonly AllowRule[];
  readonly add: (rule: AllowRule) => void;
}

/**
 * In the place of the kind of tool. A window of f23b1dd compares kinds and makes no rule for one that it doesn't know, so
 * it lists and keeps these rules and never applies one as if it were wider.
 */
const keyed = 'exactly';

/** What is kept counts here too; what is added counts here and is kept nowhere. */
export function unkeptRules(kept: AllowRules): AllowRules {
  const own: AllowRule[] = [];
  return { all: () => [...kept.all(), ...own], add: rule => void own.push(rule) };
}

/** Kinds with one rule for all of their uses; what deletes, or does anything at all, is asked about each time. */
const alike: ReadonlyMap<string, string> = new Map([
  ['read', 'allow reading files'],
  ['search', 'allow searching'],
  ['edit', 'allow editing files'],
  ['move', 'allow moving files'],
  ['think', 'allow thinking'],
]);

/** The rule that "always" would make of this question; null where there is none, as where it has a `why`. */
export function ruleFor(agent: string, permission: Permission): AllowRule | null {
  if (!allowOnce(permission.choices) || permission.why !== undefined) return null;
  const limited = limitsOf(permission);
  return limited && { agent, tool: keyed, command: JSON.stringify(limited.key), words: limited.words };
}

export function isSameRule(one: AllowRule, other: AllowRule): boolean {
  return one.agent === other.agent && one.tool === other.tool && one.command === other.command;
}

/** Whether a stored rule answers a question whose own rule would be `rule`. */
export function covers(stored: AllowRule, rule: AllowRule): boolean {
  return stored.agent === rule.agent && rule.tool === keyed && keyOf(stored) === rule.command;
}

/** False for a rule of f23b1dd that allows more than a rule may today, or doesn't say exactly what: it answers nothing. */
export function isInUse(stored: AllowRule): boolean {
  return keyOf(stored) !== null;
}

/** The agent's own choice that allows this one time. */
export function allowOnce(choices: readonly PermissionChoice[]): PermissionChoice | undefined {
  return choices.find(({ kind }) => kind === 'allow_once');
}

/** Our "always" is offered where the agent has none of its own, or has forgotten the one that the person chose. */
export function withRule(permission: Permission, rule: AllowRule | null, isForgotten: boolean): Permission {
  const remembers = permission.choices.some(({ kind }) => kind === 'allow_always');
  return rule === null || (remembers && !isForgotten) ? permission : { ...permission, rule: rule.words };
}

/** What could allow something counts only once the person was able to see all of it. */
export function fits(permission: Permission, choice: string): boolean {
  if (choice === alwaysByRule) return permission.rule !== undefined && maySeeAllow(permission);
  const chosen = permission.choices.find(({ id }) => id === choice);
  if (!chosen) return false;
  return chosen.kind === 'reject_once' || chosen.kind === 'reject_always' || maySeeAllow(permission);
}

interface Limits {
  readonly key: readonly Json[];
  readonly words: string;
}

function limitsOf(permission: Permission): Limits | null {
  const { tool, input } = permission;
  // An agent may call a change what it likes: only the rules for editing and moving speak of one.
  if (hasChanges(permission) && tool !== 'edit' && tool !== 'move') return null;
  if (tool === 'execute') return commandLimits(input);
  if (tool === 'fetch') return hostLimits(permission);
  const words = alike.get(tool);
  if (words === undefined || (fileKinds.has(tool) && pathsIn(permission).length === 0)) return null;
  return { key: [tool], words };
}

/** Exactly what would be run and where; null where the agent doesn't say it so that it can be compared. */
function commandLimits(input: Json | undefined): Limits | null {
  const { command, cwd = null, ...others } = fieldsOf(input);
  // What only describes may differ from time to time; anything else might change what is run.
  const meant = Object.keys(others).filter(name => !['description', 'timeout', 'title'].includes(name));
  if (meant.length > 0 || (cwd !== null && typeof cwd !== 'string')) return null;
  const where = cwd === null ? '' : ` in ${quoted(cwd)}`;
  if (typeof command === 'string' && command !== '')
    return { key: ['execute', command, cwd], words: `allow ${quoted(command)}${where}` };
  if (!Array.isArray(command) || command.length === 0) return null;
  const list = command as readonly Json[];
  if (!list.every(part => typeof part === 'string')) return null;
  return {
    key: ['execute', list, cwd],
    words: `allow running ${list.map(part => JSON.stringify(part)).join(' ')}${where}`,
  };
}

/** A command cannot pretend to end before it does. */
function quoted(words: string): string {
  return /[“”]/.test(words) ? JSON.stringify(words) : `“${words}”`;
}

/** The one host that every address in the question is on. */
function hostLimits({ input, locations }: Permission): Limits | null {
  const strings = stringsIn(input);
  if (strings === null) return null;
  const addresses = [...strings, ...locations.map(({ path }) => path)].filter(isWebAddress).map(text => new URL(text));
  const [first] = addresses;
  if (
    !first ||
    addresses.some(({ origin, username, password }) => origin !== first.origin || username + password !== '')
  )
    return null;
  const name = first.protocol === 'https:' ? first.host : first.origin;
  return { key: ['fetch', first.origin], words: `allow fetching from ${name}` };
}

/** A rule of f23b1dd has the key of today's rule that it meant without a doubt, and none where it allowed more. */
function keyOf({ tool, command }: AllowRule): string | null {
  if (tool === keyed) return command;
  if (command === null) return alike.has(tool) ? JSON.stringify([tool]) : null;
  return tool === 'execute' && isPlainLine(command) ? JSON.stringify(['execute', command, null]) : null;
}

/** It was also the form of a list of arguments, and of a command with its folder behind it. */
function isPlainLine(command: string): boolean {
  return command !== '' && !command.startsWith('[') && !/ \(in [^]*\)$/.test(command);
}
