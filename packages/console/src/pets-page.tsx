import { Field, type FieldProps, FormButton } from './dialog.tsx';
import { When } from './format.tsx';
import { ListPage } from './list-page.tsx';
import { Badge, keyAndAccount } from './marks.tsx';
import { filterList, parseRoute } from './route.ts';
import type { NewPet, PetView } from './service.ts';
import type { Column } from './table.tsx';

const TITLES: Readonly<Record<PetView['status'], string>> = {
  available: 'Available',
  pending: 'Pending',
  sold: 'Sold',
};

const COLUMNS: Readonly<Record<Exclude<keyof PetView, 'account'>, Column<PetView>>> = {
  id: { title: 'Id', kind: 'figure', cell: ({ id }) => id },
  name: { title: 'Name', kind: 'name', cell: ({ name }) => <bdi>{name}</bdi> },
  status: { title: 'Status', cell: ({ status }) => <Badge>{status}</Badge> },
  categoryId: { title: 'Category', kind: 'figure', cell: ({ categoryId }) => categoryId },
  addedAt: {
    title: 'Added',
    cell: ({ addedAt }) => addedAt && <When time={addedAt} />,
  },
  key: {
    title: 'By',
    cell: (pet) => (pet.key === null ? pet.addedAt && 'An operator' : keyAndAccount(pet)),
  },
};

/** The inputs have no bounds and no hints, because the API checks every rule, and the form shows its message. */
const INPUTS: Readonly<Record<keyof NewPet, Omit<FieldProps, 'name'>>> = {
  name: { label: 'Name', required: true },
  categoryId: { label: 'Category id', required: true, inputMode: 'numeric' },
  status: { label: 'Status', options: TITLES },
};

export function PetsPage() {
  return (
    <ListPage
      filters={[
        { name: 'id', label: 'Find by id' },
        { name: 'account', label: 'Account' },
        { name: 'key', label: 'Key number' },
        { name: 'since', label: 'Added since' },
        { name: 'until', label: 'Added until' },
        { name: 'status', label: 'Status', options: TITLES },
      ]}
      columns={[...Object.values(COLUMNS), { title: 'Actions', kind: 'actions', cell: Actions }]}
      action={<NewPetButton />}
      emptyTitle="No pets yet"
    >
      Add one here, or import many with <code>animal-store pets import FILE</code>.
    </ListPage>
  );
}

function NewPetButton() {
  return (
    <FormButton<PetView>
      label="Add a pet"
      isPrimary
      path="pets"
      done={({ id }) => `Pet ${id} added.`}
    >
      {Object.entries(INPUTS).map(([name, input]) => (
        <Field key={name} name={name} {...input} />
      ))}
    </FormButton>
  );
}

function Actions({ id, name, status }: PetView) {
  const of = `pet ${id}`;
  const path = `pets/${id}`;
  return (
    <span class="buttons">
      <FormButton
        label="Correct"
        of={of}
        path={`${path}/status`}
        done={`Status of ${of} corrected.`}
      >
        <p>
          <bdi>{name}</bdi>
        </p>
        <Field name="status" label={`Status of ${of}`} options={TITLES} defaultValue={status} />
      </FormButton>
      <FormButton
        label="Remove"
        of={of}
        isDangerous
        path={`${path}/remove`}
        done={() => {
          // A list that shows only this pet would be left with an error, so it shows all pets again.
          if ('id' in parseRoute(location.hash).parameters) filterList({});
          return `Pet ${id} removed.`;
        }}
      >
        <p>
          This removes {of} ({status}), <bdi>{name}</bdi>. Its id is never used again. You cannot
          undo this.
        </p>
      </FormButton>
    </span>
  );
}
