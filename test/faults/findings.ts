// What is wrong, counted and in words, for all that look at a history here.

export interface Findings {
  /** Acknowledged and not there. */
  lost: number;
  /** Twice with different content, or twice in an answer. */
  doubled: number;
  corrupt: number;
  dangling: number;
  /** Erased and there, or erased in part. */
  cameBack: number;
  /** Views or tables that are not the same where they must be. */
  differing: number;
  /** Refused or failed without a reason. */
  refused: number;
  /** The first few of each, in words. */
  readonly words: string[];
}

export function noFindings(): Findings {
  return { lost: 0, doubled: 0, corrupt: 0, dangling: 0, cameBack: 0, differing: 0, refused: 0, words: [] };
}

export function note(findings: Findings, kind: Exclude<keyof Findings, 'words'>, words: string): void {
  findings[kind]++;
  if (findings.words.filter(one => one.startsWith(kind)).length < 5) findings.words.push(`${kind}: ${words}`);
}
