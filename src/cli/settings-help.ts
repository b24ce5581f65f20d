import type { Command } from 'commander';
import { SETTINGS } from '../config.ts';

const FALLBACK_WIDTH = 80;

/** Every setting with its default, for the end of a help text. */
export function settingsHelp(command: Command): string {
  const helper = command.createHelp();
  const { getOutHelpWidth } = command.configureOutput();
  helper.prepareContext({ helpWidth: getOutHelpWidth?.() ?? FALLBACK_WIDTH });
  const width = Math.max(...SETTINGS.map(({ name }) => name.length));
  const items = SETTINGS.map(({ name, meaning, defaultValue }) =>
    helper.formatItem(name, width, `${meaning} (default: ${defaultValue})`, helper),
  );
  return ['', 'Settings, from the environment:', ...items].join('\n');
}
