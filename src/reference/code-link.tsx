interface CodeLinkProps {
  readonly href: string | undefined;
  readonly name: string;
}

/** A name in the code, with a link to its explanation if there is one. */
export function CodeLink({ href, name }: CodeLinkProps) {
  const code = <code>{name}</code>;
  return href === undefined ? code : <a href={href}>{code}</a>;
}
