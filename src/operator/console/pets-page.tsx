import { type Pet, type PetList, request, useQuery, withQuery } from './api.ts';
import { DialogButton, Field, type FieldProps, FormDialog, openDialog } from './dialog.tsx';
import { Badge, Empty, Loaded, type Tone } from './marks.tsx';
import { linkTo, type Route } from './route.ts';
import { type Column, cursorOf, Pager, Search, Table, Tabs } from './table.tsx';

const TITLES: Readonly<Record<Pet['status'], string>> = {
  available: 'Available',
  pending: 'Pending',
  sold: 'Sold',
};
const TONES: Readonly<Record<Pet['status'], Tone>> = {
  available: 'good',
  pending: 'warning',
  sold: 'neutral',
};
const STATUSES = Object.entries(TITLES);

const COLUMNS: Readonly<Record<keyof Pet | 'actions', Column<Pet>>> = {
  id: { title: 'Id', kind: 'figure', cell: ({ id }) => id },
  name: { title: 'Name', kind: 'name', cell: ({ name }) => <bdi>{name}</bdi> },
  status: {
    title: 'Status',
    kind: 'state',
    cell: ({ status }) => <Badge tone={TONES[status]}>{TITLES[status]}</Badge>,
  },
  categoryId: { title: 'Category', kind: 'figure', cell: ({ categoryId }) => categoryId },
  actions: { title: 'Actions', kind: 'actions', cell: (pet) => <StatusMenu pet={pet} /> },
};

/** The fields of the form, without their names. */
const INPUTS: Readonly<Record<Exclude<keyof Pet, 'id'>, Omit<FieldProps, 'name'>>> = {
  name: { label: 'Name', required: true, maxLength: 255 },
  categoryId: {
    label: 'Category id',
    hint: 'An integer of up to 64 bits.',
    required: true,
    inputMode: 'numeric',
    pattern: '\\s*-?[0-9]+\\s*',
    title: 'An integer',
  },
  status: { label: 'Status', options: STATUSES },
};

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
              columns={Object.values(COLUMNS)}
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
      onSubmit={async (values) => {
        const given = Object.entries(values).filter(([, value]) => value !== '');
        const pet = await request<Pet>('POST', 'pets', Object.fromEntries(given));
        return `Pet ${pet.id} added.`;
      }}
    >
      {Object.entries(INPUTS).map(([name, input]) => (
        <Field key={name} name={name} {...input} />
      ))}
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
