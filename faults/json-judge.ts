import { join } from 'node:path';
import { pythonWith } from '../test/support/programs.ts';

const PROGRAM = join(import.meta.dir, 'json-judge.py');
const DOCUMENT = join(import.meta.dir, '../openapi.json');

/** Pets that were created, and the JSON list in which the service returned them. */
interface Returned {
  readonly sent: readonly Uint8Array[];
  readonly ids: readonly number[];
  readonly received: string;
}

/** An independent validator, in another process and another language. */
export class JsonJudge implements AsyncDisposable {
  readonly #child = Bun.spawn([pythonWith('jsonschema'), PROGRAM, DOCUMENT], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  readonly #waiting: PromiseWithResolvers<unknown>[] = [];
  readonly #read = this.#readVerdicts();

  /** Returns true if the body matches the schema of the document. */
  async accepts(body: Uint8Array): Promise<boolean> {
    return (await this.#ask({ body: base64(body) })) as boolean;
  }

  /** How many of the pets are not what was sent. */
  async countDifferent({ sent, ids, received }: Returned): Promise<number> {
    const list = base64(Buffer.from(received));
    return (await this.#ask({ sent: sent.map(base64), ids, received: list })) as number;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill();
    await this.#read;
  }

  #ask(task: object): Promise<unknown> {
    const verdict = Promise.withResolvers<unknown>();
    this.#waiting.push(verdict);
    this.#child.stdin.write(`${JSON.stringify(task)}\n`);
    this.#child.stdin.flush();
    return verdict.promise;
  }

  async #readVerdicts(): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of this.#child.stdout) {
      text += decoder.decode(chunk, { stream: true });
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) this.#waiting.shift()?.resolve(JSON.parse(line));
    }
    for (const each of this.#waiting) each.reject(new Error('The judge has stopped.'));
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
