// Agents that are well known and speak the Agent Client Protocol, by what they are called on the PATH. It is only a list:
// whether one is on this machine is looked up elsewhere, without running it. What is not here can be added by hand or from
// the public registry.

export interface KnownAgent {
  readonly name: string;
  /** The name of its program. */
  readonly command: string;
  readonly args: readonly string[];
}

/** The first of a name that is there counts; the order is that in which they are offered. */
export const knownAgents: readonly KnownAgent[] = [
  { name: 'Claude Code', command: 'claude-agent-acp', args: [] },
  { name: 'Claude Code', command: 'claude-code-acp', args: [] },
  { name: 'Codex', command: 'codex-acp', args: [] },
  { name: 'GitHub Copilot', command: 'copilot', args: ['--acp'] },
  { name: 'Gemini CLI', command: 'gemini', args: ['--acp'] },
  { name: 'OpenCode', command: 'opencode', args: ['acp'] },
  { name: 'Cursor', command: 'cursor-agent', args: ['acp'] },
  { name: 'Qwen Code', command: 'qwen', args: ['--acp'] },
  { name: 'goose', command: 'goose', args: ['acp'] },
  { name: 'Auggie', command: 'auggie', args: ['--acp'] },
  { name: 'Kimi CLI', command: 'kimi', args: ['acp'] },
  { name: 'Cline', command: 'cline', args: ['--acp'] },
  { name: 'Mistral Vibe', command: 'vibe-acp', args: [] },
  { name: 'Factory Droid', command: 'droid', args: ['exec', '--output-format', 'acp'] },
  { name: 'Devin', command: 'devin', args: ['acp'] },
];
