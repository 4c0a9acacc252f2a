// What an agent asks of a person, in turns and while it signs them in. Nothing is allowed by default or by time; an answer
// counts once, for the question that it names, and only if it fits that question; the end of the turn takes back what is
// open. A rule of the person's answers in their place, and says so; a choice that the agent should remember and has
// forgotten becomes one that a rule can remember. No rule answers for what a person has to look at each time.

import { alwaysByRule, type Elicitation, type ElicitationAnswer, type Permission } from '../../model/agentState.ts';
import { answerFits } from '../../model/form.ts';
import type { PermissionAnswer } from '../../model/message.ts';
import { allowOnce, covers, fits, isSameRule, ruleFor, withRule } from './allowRules.ts';
import { permissionAnswered } from './runningTurn.ts';
import { pathsIn } from './askedPaths.ts';
import type { QuestionId, TurnId } from './effect.ts';
import { remoteSchemas } from './remoteSchemas.ts';
import type { OpenPermission, State } from './state.ts';
import type { Transition } from './transition.ts';

/** Each is looked up on the disk. */
const mostPaths = 256;

const nobodyChose: PermissionAnswer = { choice: null, allowed: false };

export function permissionAsked(step: Transition, turn: TurnId, question: QuestionId, asked: Permission): void {
  if (!takesQuestions(step, turn)) return step.act({ kind: 'answerPermission', question, choice: null });
  const open: OpenPermission = { question, turn, asked, shown: null, rule: null, job: null };
  const paths = pathsIn(asked);
  if (paths.length === 0) return decide(step, open, null);
  if (paths.length > mostPaths) return decide(step, open, `it names ${paths.length} files, too many to check`);
  const { cwd } = step.given.place(step.state.link.folder);
  const job = step.run('judgePaths', { permission: asked, paths, cwd });
  step.set({ permissions: [...step.state.permissions, { ...open, job }] });
}

export function pathsJudged(step: Transition, open: OpenPermission, judged: string | null): void {
  step.set({ permissions: step.state.permissions.filter(one => one !== open) });
  decide(step, open, judged);
}

/** By a rule of the person's, or by the person. */
function decide(step: Transition, open: OpenPermission, judged: string | null): void {
  const { asked } = open;
  const { state, given } = step;
  const schemas = remoteSchemas(asked).map(host => `it names a schema on ${host}, which the editor would download`);
  const whys = new Set([asked.why, judged, ...schemas].filter(why => typeof why === 'string'));
  const permission = whys.size === 0 ? asked : { ...asked, why: [...whys].join(', and ') };
  const rule = ruleFor(state.link.program.ref.id, permission);
  const once = allowOnce(permission.choices);
  if (rule && once && given.rules().some(one => covers(one, rule)))
    return answer(step, open, once.id, { choice: `Always ${rule.words}`, allowed: true, byRule: true });
  const isForgotten = rule !== null && state.allowed.some(one => isSameRule(one, rule));
  const shown = withRule(permission, rule, isForgotten);
  step.set({ permissions: [...state.permissions, { ...open, job: null, shown, rule }] });
  showPermissions(step);
}

/** Whether somebody waits for this answer, and it is one of the choices. */
export function takesPermission({ permissions }: State, id: string, choice: string): boolean {
  const open = permissions.find(({ shown }) => shown?.id === id);
  return open !== undefined && open.shown !== null && fits(open.shown, choice);
}

export function answerPermission(step: Transition, id: string, choice: string): void {
  const { state } = step;
  const open = state.permissions.find(({ shown }) => shown?.id === id);
  if (!open?.shown || !fits(open.shown, choice)) return;
  closePermission(step, open);
  const { rule, shown } = open;
  const once = allowOnce(shown.choices);
  if (choice === alwaysByRule && rule && once) {
    step.act({ kind: 'addRule', rule });
    return answer(step, open, once.id, { choice: `Always ${rule.words}`, allowed: true });
  }
  const chosen = shown.choices.find(one => one.id === choice);
  if (rule && chosen?.kind === 'allow_always') step.set({ allowed: [...step.state.allowed, rule] });
  const allowed = chosen?.kind === 'allow_once' || chosen?.kind === 'allow_always';
  answer(step, open, choice, { choice: chosen?.name ?? null, allowed });
}

/** All of it stands in an editor now. */
export function openedPermission(step: Transition, id: string): void {
  const isIt = ({ shown }: OpenPermission) => shown?.id === id;
  if (!step.state.permissions.some(isIt)) return;
  const permissions = step.state.permissions.map(one =>
    isIt(one) && one.shown ? { ...one, shown: { ...one.shown, opened: true as const } } : one,
  );
  step.set({ permissions });
  showPermissions(step);
}

export function elicitationAsked(
  step: Transition,
  turn: TurnId | null,
  question: QuestionId,
  elicitation: Elicitation,
): void {
  if (turn === null ? step.state.signIn === null : !takesQuestions(step, turn))
    return step.act({ kind: 'answerElicitation', question, answer: { action: 'cancel' } });
  step.set({ elicitations: [...step.state.elicitations, { question, elicitation, turn }] });
  showElicitations(step);
}

/** Whether somebody waits for this answer, and it fits what was asked. */
export function takesElicitation({ elicitations }: State, id: string, answer: ElicitationAnswer): boolean {
  const open = elicitations.find(({ elicitation }) => elicitation.id === id);
  return open !== undefined && answerFits(open.elicitation, answer);
}

export function answerElicitation(step: Transition, id: string, given: ElicitationAnswer): void {
  const open = step.state.elicitations.find(({ elicitation }) => elicitation.id === id);
  if (!open || !answerFits(open.elicitation, given)) return;
  closeElicitation(step, open.question, given);
}

/** Whoever asked doesn't wait any more. */
export function questionWithdrawn(step: Transition, question: QuestionId): void {
  const permission = step.state.permissions.find(one => one.question === question);
  if (permission) withdraw(step, permission);
  if (step.state.elicitations.some(one => one.question === question))
    closeElicitation(step, question, { action: 'cancel' });
}

/** Nothing that was asked in this turn stays open; null is what was asked while a person signed in. */
export function closeQuestionsOf(step: Transition, turn: TurnId | null): void {
  for (const open of step.state.permissions.filter(one => one.turn === turn)) withdraw(step, open);
  for (const open of step.state.elicitations.filter(one => one.turn === turn))
    closeElicitation(step, open.question, { action: 'cancel' });
}

function withdraw(step: Transition, open: OpenPermission): void {
  closePermission(step, open);
  answer(step, open, null, nobodyChose);
}

function answer(
  step: Transition,
  { question, asked }: OpenPermission,
  choice: string | null,
  record: PermissionAnswer,
) {
  step.act({ kind: 'answerPermission', question, choice });
  permissionAnswered(step, asked.callId, record);
}

function closePermission(step: Transition, open: OpenPermission): void {
  step.set({ permissions: step.state.permissions.filter(one => one.question !== open.question) });
  if (open.shown) showPermissions(step);
}

function closeElicitation(step: Transition, question: QuestionId, given: ElicitationAnswer): void {
  step.set({ elicitations: step.state.elicitations.filter(one => one.question !== question) });
  step.act({ kind: 'answerElicitation', question, answer: given });
  showElicitations(step);
}

/** A summary is written without asking anybody. */
function takesQuestions({ phase }: Transition, turn: TurnId): boolean {
  return phase.name === 'running' && phase.turn.id === turn;
}

function showPermissions(step: Transition): void {
  const permissions = step.state.permissions.flatMap(({ shown }) => shown ?? []);
  step.show({ type: 'permissionsChanged', permissions });
}

function showElicitations(step: Transition): void {
  const elicitations = step.state.elicitations.map(({ elicitation }) => elicitation);
  step.show({ type: 'elicitationsChanged', elicitations });
}
