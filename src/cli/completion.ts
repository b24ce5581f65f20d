import { Argument, Command, type Option } from 'commander';
import { OperatorError } from '../domain/error.ts';
import { PLAN_NAMES } from '../domain/plan.ts';
import { writeOut } from './write-out.ts';

/** One command with all that can follow it. */
interface Node {
  /** The words that lead to it, such as "accounts create". */
  readonly path: string;
  /** Commands and known values of arguments. */
  readonly words: readonly Word[];
  readonly options: readonly (Word & OptionValue)[];
  /** Takes an argument that may be a file. */
  readonly takesAnything: boolean;
}

interface Word {
  readonly word: string;
  readonly description: string;
}

interface OptionValue {
  /** "any" stands for any text or file. Undefined if the option takes no value. */
  readonly values: readonly string[] | 'any' | undefined;
}

/** Values that several commands take under the same placeholder. */
const VALUES_OF: Readonly<Record<string, readonly string[]>> = { plan: PLAN_NAMES };

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
type Shell = keyof typeof SHELLS;

export function completionCommand(): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(SHELLS)))
    .description('print a script that completes commands and options in a shell')
    .addHelpText(
      'after',
      `
bash:  animal-store completion bash > ~/.local/share/bash-completion/completions/animal-store
zsh:   echo 'source <(animal-store completion zsh)' >> ~/.zshrc   (after compinit)
fish:  animal-store completion fish > ~/.config/fish/completions/animal-store.fish`,
    )
    .action(async (shell: Shell, _: object, command: Command) => {
      const program = command.parent;
      if (program === null) throw new OperatorError('Nothing to complete.');
      await writeOut(SHELLS[shell](program.name(), nodesOf(program)));
    });
}

/** The program and all its commands, from commander's own tree. */
function nodesOf(command: Command, path = ''): Node[] {
  const commands = command.commands.map((child) => ({
    word: child.name(),
    description: child.description(),
  }));
  const known = command.registeredArguments.flatMap((argument) =>
    valuesOf(argument).map((word) => ({ word, description: argument.description })),
  );
  const options = command.createHelp().visibleOptions(command);
  const node = {
    path,
    words: [...commands, ...known],
    options: options.map((option) => ({
      word: option.long ?? option.short ?? '',
      description: option.description,
      values: option.required || option.optional ? anyUnless(valuesOf(option)) : undefined,
    })),
    takesAnything: command.registeredArguments.some((argument) => valuesOf(argument).length === 0),
  };
  const children = command.commands.flatMap((child) =>
    nodesOf(child, `${path} ${child.name()}`.trim()),
  );
  return [node, ...children];
}

/** The values of an argument or an option. Empty if any text is allowed. */
function valuesOf(taker: Argument | Option): readonly string[] {
  const name = taker instanceof Argument ? taker.name() : taker.attributeName();
  return taker.argChoices ?? VALUES_OF[name] ?? [];
}

function anyUnless(values: readonly string[]): readonly string[] | 'any' {
  return values.length === 0 ? 'any' : values;
}

/** Without a dash, options are offered only where nothing else can follow. */
function wordsWithoutDash({ words, options, takesAnything }: Node): readonly Word[] {
  return words.length > 0 || takesAnything ? words : options;
}

/** Matches the words of every command. */
function anyPath(nodes: readonly Node[]): string {
  return nodes
    .filter(({ path }) => path !== '')
    .map(({ path }) => `"${path}"`)
    .join('|');
}

/** A case for each option that takes a value. */
function valueCases(
  nodes: readonly Node[],
  complete: (values: readonly string[] | 'any') => string,
): string {
  const cases = nodes.flatMap(({ path, options }) =>
    options.flatMap(({ word, values }) =>
      values === undefined ? [] : [`    "${path}:${word}") ${complete(values)}; return ;;`],
    ),
  );
  return cases.join('\n');
}

/** Empty completions become files. */
function bashScript(name: string, nodes: readonly Node[]): string {
  const cases = nodes.flatMap((node) => [
    `    "${node.path}:-"*) words="${wordList(node.options)}" ;;`,
    `    "${node.path}:"*) words="${wordList(wordsWithoutDash(node))}" ;;`,
  ]);
  const values = valueCases(nodes, (words) =>
    words === 'any'
      ? ':'
      : `mapfile -t COMPREPLY < <(compgen -W "${words.join(' ')}" -- "$current")`,
  );
  return `# bash completion for ${name}
_${identifier(name)}() {
  local current=\${COMP_WORDS[COMP_CWORD]} path= words= index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "\${path:+$path }\${COMP_WORDS[index]}" in
      ${anyPath(nodes)}) path="\${path:+$path }\${COMP_WORDS[index]}" ;;
    esac
  done
  case "$path:\${COMP_WORDS[COMP_CWORD-1]}" in
${values}
  esac
  case "$path:$current" in
${cases.join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _${identifier(name)} ${name}
`;
}

function wordList(words: readonly Word[]): string {
  return words.map(({ word }) => word).join(' ');
}

function zshScript(name: string, nodes: readonly Node[]): string {
  const list = (words: readonly Word[]) =>
    words.map(({ word, description }) => `'${quoted(`${word}:${description}`)}'`).join(' ');
  const cases = nodes.flatMap((node) => [
    `    "${node.path}:-"*) choices=(${list(node.options)}) ;;`,
    `    "${node.path}:"*) choices=(${list(wordsWithoutDash(node))}) ;;`,
  ]);
  const values = valueCases(nodes, (words) =>
    words === 'any' ? '_files' : `compadd -- ${words.join(' ')}`,
  );
  return `#compdef ${name}
_${identifier(name)}() {
  local typed word
  local -a choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${typed:+$typed }$word" in
      ${anyPath(nodes)}) typed="\${typed:+$typed }$word" ;;
    esac
  done
  case "$typed:\${words[CURRENT-1]}" in
${values}
  esac
  case "$typed:\${words[CURRENT]}" in
${cases.join('\n')}
  esac
  if (( \${#choices} )); then _describe '${name}' choices; else _files; fi
}
compdef _${identifier(name)} ${name}
`;
}

function fishScript(name: string, nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ path, words, options, takesAnything }) => {
    const start = `complete -c ${name} -n '__${identifier(name)}_at "${path}"'`;
    return [
      ...(takesAnything && words.length === 0 ? [] : [`${start} -f`]),
      ...words.map(({ word, description }) => `${start} -a ${word} -d '${quoted(description)}'`),
      ...options.map(({ word, description, values }) => {
        const value = values === 'any' ? ' -r' : values && ` -x -a '${values.join(' ')}'`;
        return `${start} -l ${word.slice(2)}${value ?? ''} -d '${quoted(description)}'`;
      }),
    ];
  });
  return `# fish completion for ${name}
function __${identifier(name)}_at
  set -l path
  for word in (commandline -opc)[2..]
    switch (string trim -- "$path $word")
      case ${anyPath(nodes).replaceAll('|', ' ')}
        set path (string trim -- "$path $word")
    end
  end
  test "$path" = "$argv[1]"
end
${lines.join('\n')}
`;
}

function identifier(name: string): string {
  return name.replaceAll('-', '_');
}

/** For a place inside of single quotes, in zsh and fish alike. */
function quoted(text: string): string {
  return text.replaceAll("'", '’');
}
