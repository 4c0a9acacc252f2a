// What a session of the scripted agent can be set to, in any of the three ways in which agents tell it.

type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value | undefined };

export class Settings {
  private readonly kinds: readonly string[];
  private mode = 'ask';
  private model = 'small';
  private effort = 'low';
  private web = false;

  constructor(kinds: readonly string[]) {
    this.kinds = kinds;
  }

  /** What belongs into the answer to new, load, resume and fork. */
  answer(): object {
    return {
      ...(this.kinds.includes('config') ? { configOptions: this.config() } : {}),
      ...(this.kinds.includes('modes')
        ? {
            modes: {
              currentModeId: this.mode,
              availableModes: [
                { id: 'ask', name: 'Ask', description: 'Asks first' },
                { id: 'plan', name: 'Plan' },
              ],
            },
          }
        : {}),
      ...(this.kinds.includes('models')
        ? {
            models: {
              currentModelId: this.model,
              availableModels: [
                { modelId: 'small', name: 'Small' },
                { modelId: 'large', name: 'Large', description: 'Slow' },
              ],
            },
          }
        : {}),
    };
  }

  setConfig(id: string, value: Value | undefined, type: Value | undefined): object {
    if (id === 'web' && type === 'boolean') this.web = value === true;
    else if (id === 'effort') this.effort = typeof value === 'string' ? value : '';
    else throw new Error(`bad value for ${id}`);
    return { configOptions: this.config() };
  }

  setMode(mode: string): object {
    this.mayBeSet();
    this.mode = mode;
    return {};
  }

  setModel(model: string): object {
    this.mayBeSet();
    this.model = model;
    return {};
  }

  /** As in a folder that the agent does not trust. */
  private mayBeSet(): void {
    if (this.kinds.includes('stubborn')) throw new Error('not in this folder');
  }

  private config(): readonly object[] {
    return [
      {
        id: 'effort',
        name: 'Effort',
        category: 'thought_level',
        type: 'select',
        currentValue: this.effort,
        options: [
          { group: 'cheap', name: 'Cheap', options: [{ value: 'low', name: 'Low' }] },
          { group: 'dear', name: 'Dear', options: [{ value: 'high', name: 'High', description: 'Thinks long' }] },
        ],
      },
      ...(this.kinds.includes('boolean') ? [{ id: 'web', name: 'Web', type: 'boolean', currentValue: this.web }] : []),
      { id: 'slider', name: 'Slider', type: 'slider', currentValue: 3 },
    ];
  }
}
