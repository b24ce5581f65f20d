import { z } from 'zod';
import { ConsoleError } from '../console-error.ts';

export const MAX_CONSOLE_BODY_BYTES = 16 * 1024;

/** A field that must be text. */
export const text = z.string({ error: 'must be a string' });

/** Reads a small JSON object. Throws `ConsoleError` for anything else. */
export async function readBody<Shape extends z.ZodRawShape>(
  request: Request,
  shape: Shape,
): Promise<z.infer<z.ZodObject<Shape>>> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new ConsoleError(415, 'The body must be JSON, with Content-Type: application/json.');
  }
  if (Number(request.headers.get('content-length') ?? 0) > MAX_CONSOLE_BODY_BYTES) {
    throw new ConsoleError(413, `The body is larger than ${MAX_CONSOLE_BODY_BYTES / 1024} KiB.`);
  }
  const schema = z.object(shape, { error: 'must be an object' });
  const { success, data, error } = schema.safeParse(parse(await arrived(request)));
  if (success) return data;
  const [{ path, message } = { path: [], message: '' }] = error.issues;
  throw new ConsoleError(400, `${path.join('.') || 'The body'} ${message}.`);
}

/** The runtime itself responds 413 to a body that is too large. */
async function arrived(request: Request): Promise<string> {
  try {
    return await request.text();
  } catch {
    throw new ConsoleError(400, 'The body did not arrive.');
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ConsoleError(400, 'The body is not valid JSON.');
  }
}
