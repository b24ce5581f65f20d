import { expect, test } from 'bun:test';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { type ComponentChildren, toChildArray, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { NEW_PET_FIELDS, type NewPet, newPetSchema, PET_FIELDS, type Pet } from '#domain/pet.ts';
import { anyPet, newPets, titleOf, withAnother } from '../support/values.ts';

/** What a test of this page reads of a component: a component is a value until it is rendered. */
type Part = VNode<{
  readonly columns: readonly { title: string; cell: (pet: Pet) => ComponentChildren }[];
  readonly action: VNode<object>;
  readonly children: ComponentChildren;
}>;

interface Input {
  readonly name: keyof NewPet;
  readonly label: string;
  readonly required?: boolean;
  readonly options?: object;
}

// By a path, because these tests are compiled without the types of a browser.
const path = resolve('packages/console/src/pets-page.tsx');
// Its dialogs listen to the window, which no other test may find.
Object.assign(globalThis, { window: new EventTarget() });
const { PetsPage }: { PetsPage: () => Part } = await import(path);
Reflect.deleteProperty(globalThis, 'window');

const { columns, action } = PetsPage().props;
const form = (action.type as () => Part)();
const inputs = toChildArray(form.props.children).map((child) => (child as VNode<Input>).props);

const [any] = fc.sample(anyPet, 1) as [Pet];

const shown = (pet: Pet) =>
  columns
    .filter(({ title }) => title !== 'Actions')
    .map(({ title, cell }) => [title, renderToString(cell(pet) as VNode)] as const);

test.each(PET_FIELDS)(
  'the console shows the %s of a pet in its own column, and only there',
  (field) => {
    const before = new Map(shown(any));
    const changed = shown(withAnother(any, field)).filter(
      ([title, cell]) => cell !== before.get(title),
    );
    expect(changed).toHaveLength(1);
    expect(titleOf(field)).toStartWith(changed[0]?.[0] ?? '?');
  },
);

test.each(NEW_PET_FIELDS)(
  'the form for a new pet asks for %s by its name, and requires it only if the API does',
  (field) => {
    const isRequired = !newPetSchema.shape[field].safeParse(undefined).success;
    const input = inputs.find(({ name }) => name === field);
    expect([input?.label, input?.required ?? false]).toEqual([titleOf(field), isRequired]);
  },
);

test.each(inputs.filter(({ options }) => options))(
  'the form for a new pet offers all values of $name, and no others',
  ({ name, options = {} }) => {
    const values = new Set(newPets(200).map((pet) => `${pet[name] ?? ''}`));
    expect(new Set(Object.keys(options))).toEqual(values);
  },
);
