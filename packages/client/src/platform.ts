/** The version of the package. */
export const VERSION = '0.1.0';

/** What Node, Bun and Deno offer in addition to a browser. */
interface Globals {
  readonly Deno?: {
    readonly version: Record<string, string>;
    readonly permissions: {
      querySync(permission: { name: 'env'; variable: string }): { readonly state: string };
    };
    readonly env: { get(name: string): string | undefined };
  };
  readonly process?: {
    readonly versions?: Record<string, string>;
    readonly env?: Record<string, string | undefined>;
  };
  readonly document?: unknown;
}

/** Undefined if the variable is not set or empty, or if there is no environment. */
export function environmentVariable(name: string): string | undefined {
  const { Deno, process } = globalThis as Globals;
  // Without permission, Deno would ask the user.
  const isDenied =
    Deno && Deno.permissions.querySync({ name: 'env', variable: name }).state !== 'granted';
  const value = isDenied ? undefined : (Deno?.env.get(name) ?? process?.env?.[name]);
  return value?.trim() || undefined;
}

/** Headers that describe the program. None in browsers, which would have to ask the service first. */
export function platformHeaders(): Record<string, string> {
  const { Deno, process, document } = globalThis as Globals;
  const versions = Deno?.version ?? process?.versions ?? {};
  const runtime = ['deno', 'bun', 'node'].find((name) => versions[name]);
  if (document !== undefined || runtime === undefined) return {};
  return { 'User-Agent': `animal-store-client/${VERSION} (${runtime}/${versions[runtime]})` };
}
