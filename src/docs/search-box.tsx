export function SearchBox(_: { indexHref: string; root: string }) {
  return <input type="search" placeholder="Search" aria-label="Search" />;
}
