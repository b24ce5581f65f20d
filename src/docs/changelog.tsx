export function Changelog() {
  return <p>The changelog.</p>;
}
