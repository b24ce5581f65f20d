// biome-ignore-all lint/a11y/noRedundantRoles: a browser may drop the role of a part of a table with another display.

import type { ComponentChildren } from 'preact';

interface TableProps {
  /** Its class. */
  readonly name: string;
  readonly columns: readonly string[];
  /** The first cell is the title of its row. */
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** It names all roles, because a style may display a part as something else, and the role would be lost. */
export function Table({ name, columns, rows }: TableProps) {
  return (
    <table role="table" class={name}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th role="columnheader" scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(([title, ...cells]) => (
          <tr role="row">
            <th role="rowheader" scope="row">
              {title}
            </th>
            {cells.map((cell) => (
              <td role="cell">{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
