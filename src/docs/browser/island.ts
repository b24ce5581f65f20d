/** The properties that the server rendered a part with, and the element that contains it. */
export type InIsland<Props> = Props & { readonly island: HTMLElement };
