/** What is used of it, so that types can be checked where the peers are not installed. */
declare module 'mitata' {
  export function bench(name: string, work: () => unknown): void;
  export function group(name: string, body: () => void): void;
  export function run(): Promise<unknown>;
}
