import type { ComponentType } from 'preact';

interface IslandProps<Props extends object> {
  readonly name: string;
  readonly of: ComponentType<Props>;
  /** Only JSON values: the browser reads them from the page. */
  readonly props: NoInfer<Props>;
}

/** A part of a page that comes to life in the browser. `browser/reference.tsx` hydrates it. */
export function Island<Props extends object>({ name, of: Part, props }: IslandProps<Props>) {
  return (
    <div data-island={name} data-props={JSON.stringify(props)}>
      <Part {...props} />
    </div>
  );
}

/** The properties of a part in the browser, with the element that contains it. */
export type InIsland<Props> = Props & { readonly island: HTMLElement };
