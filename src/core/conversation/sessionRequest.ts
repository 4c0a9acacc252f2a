// When two requests for an agent session are the same, so that what was found ahead for the one serves the other.

import { budgetOf, isFree, type SessionRequest } from './resumeAgentSession.ts';

/**
 * What decides which session is found and what it is told. The compiler wants every field of a request to be judged here.
 * Null for one that decides nothing by itself.
 */
const decisive: {
  readonly [field in keyof Required<SessionRequest>]: ((request: SessionRequest) => unknown) | null;
} = {
  program: ({ program }) => program,
  place: ({ place }) => JSON.stringify(place),
  // A message without an end may grow.
  path: ({ path }) => path.map(({ id, end }) => (end ? id : `${id}…`)).join(),
  bindings: request => JSON.stringify(request.bindings.map(binding => [binding, isFree(binding, request)])),
  // The session that was found ahead is the live one from then on.
  live: null,
  writer: ({ writer }) => writer,
  // It decides which bindings are free.
  alive: null,
  fork: ({ fork }) => fork,
  // It decides the usual budget.
  contextWindow: null,
  budget: request => (request.program.takesPath ? null : JSON.stringify(budgetOf(request))),
};

export function isSameRequest(one: SessionRequest, other: SessionRequest): boolean {
  return Object.values(decisive).every(of => of === null || of(one) === of(other));
}
