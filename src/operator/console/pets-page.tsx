import { type Pet, type PetList, request, useQuery, withQuery } from './api.ts';
import { DialogButton, Field, FormDialog, openDialog } from './dialog.tsx';
import { Badge, Empty, Loaded, type Tone } from './marks.tsx';
import { linkTo, type Route } from './route.ts';
import { type Column, cursorOf, Pager, Search, Table, Tabs } from './table.tsx';

const STATUSES = [
  ['available', 'Available'],
  ['pending', 'Pending'],
  ['sold', 'Sold'],
] as const;
const TONES: Readonly<Record<string, Tone>> = { available: 'good', pending: 'warning' };

const COLUMNS: readonly Column<Pet>[] = [
  { title: 'Id', kind: 'figure', cell: ({ id }) => id },
  { title: 'Name', kind: 'name', cell: ({ name }) => <bdi>{name}</bdi> },
  {
    title: 'Status',
    kind: 'state',
    cell: ({ status }) => <Badge tone={TONES[status] ?? 'neutral'}>{titleOf(status)}</Badge>,
  },
  { title: 'Category', kind: 'figure', cell: ({ categoryId }) => categoryId },
  {
    title: 'Actions',
    kind: 'actions',
    cell: (pet) => <StatusMenu pet={pet} />,
  },
];

/** A choice also closes the menu, so that the focus is back on its button before the dialog opens. */
function StatusMenu({ pet }: { pet: Pet }) {
  const menu = `menu-${pet.id}`;
  return (
    <>
      <button
        type="button"
        class="secondary small"
        aria-label={`Correct status of pet ${pet.id}`}
        popovertarget={menu}
      >
        ⋯
      </button>
      <div id={menu} popover="auto">
        {STATUSES.filter(([status]) => status !== pet.status).map(([status, title]) => (
          <button
            key={status}
            type="button"
            class="plain"
            popovertarget={menu}
            onClick={() => openDialog(statusDialog(pet, status))}
          >
            Correct to {title}
          </button>
        ))}
      </div>
    </>
  );
}

function titleOf(status: string): string {
  return STATUSES.find(([name]) => name === status)?.[1] ?? status;
}

export function PetsPage({ route }: { route: Route }) {
  const { id = '', status: chosen = '' } = route.parameters;
  // A pet that is found by its id has any status.
  const status = id === '' ? chosen : '';
  const query = useQuery<PetList>(withQuery('pets', { id, status, after: cursorOf(route) }));
  return (
    <>
      <div class="head">
        <h1>Pets</h1>
        <Search route={route} name="id" label="Find by id" />
        <DialogButton opens={newPetDialog}>Add a pet</DialogButton>
      </div>
      <Tabs
        route={{ ...route, parameters: { status } }}
        name="status"
        label="Status"
        parts={[['', 'All'], ...STATUSES]}
      />
      <Loaded query={query}>
        {({ pets, next }) => (
          <>
            <Table
              name="pets"
              columns={COLUMNS}
              rows={pets}
              keyOf={(pet) => pet.id}
              empty={<NoPets status={status} />}
            />
            <Pager route={route} next={next} />
          </>
        )}
      </Loaded>
    </>
  );
}

function NoPets({ status }: { status: string }) {
  return status === '' ? (
    <Empty title="No pets yet">
      <p>Add one here, or import many with the command.</p>
      <p>
        <code>animal-store pets import FILE</code>
      </p>
    </Empty>
  ) : (
    <Empty title={`No pet is ${status}`}>
      <p>
        <a href={linkTo('pets')}>Show all pets</a>
      </p>
    </Empty>
  );
}

function newPetDialog() {
  return (
    <FormDialog
      title="Add a pet"
      submit="Add"
      onSubmit={async ({ categoryId = '', ...values }) => {
        const body = { ...values, categoryId: categoryId.trim() };
        const pet = await request<Pet>('POST', 'pets', body);
        return `Pet ${pet.id} added.`;
      }}
    >
      <Field name="name" label="Name" required maxLength={255} />
      <Field
        name="categoryId"
        label="Category id"
        hint="An integer of up to 64 bits."
        required
        inputMode="numeric"
        pattern="\s*-?[0-9]+\s*"
        title="An integer"
      />
      <Field name="status" label="Status" options={STATUSES} />
    </FormDialog>
  );
}

function statusDialog({ id, name, status }: Pet, corrected: string) {
  return (
    <FormDialog
      title={
        <>
          Correct the status of <bdi>{name}</bdi>
        </>
      }
      submit="Correct"
      onSubmit={async () => {
        await request('PUT', `pets/${encodeURIComponent(id)}/status`, { status: corrected });
        return `Pet ${id} is now ${corrected}.`;
      }}
    >
      <p>
        Pet <span class="figures">{id}</span> is {status}. Make it {corrected}?
      </p>
    </FormDialog>
  );
}
