import type { ComponentChildren } from 'preact';

/** A page about the API. The navigation and the search list its sections. */
export interface Page {
  readonly path: string;
  readonly title: string;
  /** For search engines and previews. */
  readonly summary: string;
  readonly introduction?: ComponentChildren;
  readonly groups: readonly Group[];
}

export interface Group {
  readonly title: string;
  /** Folds away in the navigation of other pages. */
  readonly isLong?: boolean;
  readonly sections: readonly Section[];
}

export interface Section {
  /** Its anchor. */
  readonly id: string;
  readonly title: string;
  /** In a few words, for the search. */
  readonly summary: string;
  readonly method?: string;
  readonly status?: number;
  /** The title is code. */
  readonly isCode?: boolean;
  readonly removedAt?: Date | undefined;
  readonly body: ComponentChildren;
}
