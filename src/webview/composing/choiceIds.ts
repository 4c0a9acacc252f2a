// The ids by which the box says which completion is meant.

export const listId = 'completions';

export function optionId(at: number): string {
  return `${listId}-${at}`;
}
