/**
 * Follows the recipes of docs/extending.md for a kind of content and for a field of posts in a copy of the sources. The
 * folder new-kind next to this file contains all new files. new-parts.test.ts compiles and builds them with the other
 * recipes.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type MutationOptions, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { FormProvider, useForm } from 'react-hook-form';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../packages/backend/src/database/migrate.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { loadSchemaCache } from '../../packages/backend/src/rest/schema/load-schema-cache.ts';
import { databaseTypes } from '../../scripts/database-types.ts';
import { readSiteContent } from '../../supabase/functions/ai-chat/site-content.ts';
import { copySources, type RecipeCopy } from '../support/recipe-copy.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';
import { KIND_EDITS, KIND_FILES } from './kind-edits.ts';

const COPIED = ['app', 'packages', 'scripts', 'supabase', 'tsconfig.json'];
const PICTURE = '/storage/v1/object/public/content-media/ferry.png';

const queryClient = new QueryClient();

let copy: RecipeCopy;
let migration: string;
let site: TestBackend;
let kinds: typeof import('../../app/content/kinds.ts');
let editing: typeof import('../../app/content/editing.ts');

beforeAll(async () => {
  copy = await copySources(COPIED, join(import.meta.dirname, 'new-kind'));
  for (const edit of KIND_EDITS) await copy.add(edit);

  site = await startTestBackend();
  migration = await copy.writeMigration();
  await migrate(site.backend.database, join(copy.folder, 'supabase/migrations'));
  await site.backend.database.query(`notify pgrst, 'reload schema'`);
  // The steps of `npm run types`.
  const types = databaseTypes(await loadSchemaCache(site.backend.database));
  await writeFile(join(copy.folder, 'app/api/database.types.ts'), types);

  const { setSiteHost } = await load<typeof import('../../app/api/host/site-host.ts')>('app/api/host/site-host.ts');
  setSiteHost({
    apiUrl: site.url,
    publicApiUrl: site.url,
    fetch,
    publishableKey: PUBLISHABLE_KEY,
    remember: (_key, read) => read(),
    stylesheet: '',
    countsVisits: false,
    siteUrl: 'https://signalfjord.example',
    gate: null,
    captcha: null,
    preview: null,
  });
  const { supabase } = await load<typeof import('../../app/api/supabase.ts')>('app/api/supabase.ts');
  const { token } = await site.signedIn('admin');
  await supabase.auth.setSession({ access_token: token, refresh_token: 'never used' });
  kinds = await load('app/content/kinds.ts');
  editing = await load('app/content/editing.ts');
});
afterAll(async () => {
  await site.close();
  await copy.remove();
});

/** Imports a module of the copy. */
async function load<Module>(path: string): Promise<Module> {
  return import(join(copy.folder, path));
}

function caseStudies() {
  const kind = kinds.KINDS.find(({ table }) => String(table) === 'case_studies');
  if (!kind) throw new Error('The copy has no case studies');
  return kind;
}

function execute<Variables>(mutation: MutationOptions<void, Error, Variables>, variables: Variables): Promise<void> {
  return queryClient.getMutationCache().build(queryClient, mutation).execute(variables);
}

/** Renders the fields of the form as HTML. */
async function renderForm(values: Record<string, unknown>, kind = 'case-studies'): Promise<string> {
  const { default: Fields } = await load<{ default: ComponentType }>(`app/content/${kind}/fields.tsx`);
  function Form() {
    const form = useForm({ defaultValues: values });
    return (
      <QueryClientProvider client={queryClient}>
        <FormProvider {...form}>
          <Fields />
        </FormProvider>
      </QueryClientProvider>
    );
  }
  return renderToStaticMarkup(<Form />);
}

async function findItem(title: string) {
  const item = (await listItems()).find((candidate) => candidate.title === title);
  if (!item) throw new Error(`${title} is not in the list`);
  return item;
}

async function listItems() {
  return (await queryClient.fetchQuery({ ...editing.listQuery(caseStudies(), {}), staleTime: 0 })).items;
}

test('The two recipes change only the files that they name', async () => {
  // The migration and the database types are generated.
  expect(await copy.changedFiles()).toEqual([...KIND_FILES, migration, 'app/api/database.types.ts'].sort());
});

test('A field of posts is in their form and history, is saved, and can be read by visitors', async () => {
  const posts = kinds.KINDS.find(({ table }) => table === 'posts');
  if (!posts) throw new Error('The copy has no posts');
  const { emptyValues } =
    await load<typeof import('../../app/content/schema-fields.ts')>('app/content/schema-fields.ts');
  const values = { ...emptyValues(posts.schema), title: 'Winter', subtitle: 'On the line', status: 'published' };
  expect(await renderForm(values, 'posts')).toContain('Subtitle');
  await editing.itemDocument(posts).save(posts.schema.parse(values), undefined);
  const { data } = await site.visitor
    .from('posts')
    .select('id, subtitle')
    .eq('title', 'Winter')
    .single()
    .throwOnError();
  expect(data.subtitle).toBe('On the line');
  const { versionsQuery } = await load<typeof import('../../app/editing/history/content-versions.ts')>(
    'app/editing/history/content-versions.ts',
  );
  const [version] = await queryClient.fetchQuery(versionsQuery({ kind: 'posts', itemId: data.id }));
  expect(version?.action).toBe('created');
  await site.service.from('posts').delete().eq('id', data.id).throwOnError();
});

test('The new kind has a list, a form and a sidebar entry in the admin area', async () => {
  const { SECTIONS } = await load<typeof import('../../app/admin/sections.ts')>('app/admin/sections.ts');
  expect(SECTIONS).toContainEqual(expect.objectContaining({ path: '/admin/case-studies', label: 'Case Studies' }));

  const { Route } = await load<typeof import('../../app/content/admin/kind.route.tsx')>(
    'app/content/admin/kind.route.tsx',
  );
  const routeData = await Route.options.beforeLoad?.({ params: { kind: 'case-studies' } } as never);
  expect(routeData).toMatchObject({ kind: { heading: 'Case Studies' } });

  const kind = caseStudies();
  const { emptyValues } =
    await load<typeof import('../../app/content/schema-fields.ts')>('app/content/schema-fields.ts');
  const defaults = emptyValues(kind.schema);
  for (const headline of ['Ferry', 'Train']) {
    const values = {
      ...defaults,
      headline,
      story: 'Cabins in winter',
      cover_image: headline === 'Ferry' ? PICTURE : '',
    };
    await editing.itemDocument(kind).save(kind.schema.parse(values), undefined);
  }
  const ferry = await findItem('Ferry');
  expect(ferry).toMatchObject({ isPublished: false, columns: { Slug: 'ferry' }, publicPath: undefined });

  const document = editing.itemDocument(kind, ferry.id);
  const loaded = await document.load();
  if (!loaded) throw new Error('The item cannot be opened');
  const values = loaded.content;
  const form = await renderForm(values);
  for (const label of ['Headline', 'Slug', 'Story', 'Cover image', 'Status', 'Display order'])
    expect(form).toContain(label);

  await document.save(kind.schema.parse({ ...values, status: 'published' }), loaded);
  expect(await findItem('Ferry')).toMatchObject({ isPublished: true, publicPath: '/case-studies/ferry' });
});

test('The new kind is counted on the dashboard', async () => {
  const counts = await queryClient.fetchQuery(editing.countsQuery(kinds.KINDS));
  expect(counts.get(caseStudies().table)).toBe(2);
});

test('The new kind can be reordered', async () => {
  const items = await listItems();
  await execute(editing.reorderMutation(caseStudies()), items.map(({ id }) => id).reverse());
  expect((await listItems()).map(({ title }) => title)).toEqual(items.map(({ title }) => title).reverse());
});

test('The new kind shows where its pictures are used, with a link', async () => {
  const { mediaUsageQuery } = await load<typeof import('../../app/media/media.ts')>('app/media/media.ts');
  const { editLink } = await load<typeof import('../../app/api/places/edit-link.ts')>('app/api/places/edit-link.ts');
  const { id } = await findItem('Ferry');
  const usage = await queryClient.fetchQuery(mediaUsageQuery('ferry.png'));
  expect(usage.map(editLink)).toEqual([{ label: 'Case study "Ferry"', path: `/admin/case-studies/${id}/edit` }]);
});

test('The new kind is in the sitemap when published', async () => {
  const { publicItemPagesQuery } = await load<typeof import('../../app/content/public-item-pages.ts')>(
    'app/content/public-item-pages.ts',
  );
  const pages = await queryClient.fetchQuery(publicItemPagesQuery(caseStudies(), 1));
  expect(pages.map(({ path }) => path)).toEqual(['/case-studies/ferry']);
});

test('The new kind has a history, and deleted items are in the trash', async () => {
  const { versionsQuery } = await load<typeof import('../../app/editing/history/content-versions.ts')>(
    'app/editing/history/content-versions.ts',
  );
  const trash = await load<typeof import('../../app/content/trash.ts')>('app/content/trash.ts');
  const { id } = await findItem('Train');
  await execute(editing.deleteMutation(caseStudies()), id);
  const { items } = await queryClient.fetchQuery(trash.deletedItemsQuery(caseStudies(), { page: 1 }));
  expect(items).toMatchObject([{ id, title: 'Train' }]);
  await queryClient
    .getMutationCache()
    .build(queryClient, trash.restoreItemMutation(caseStudies()))
    .execute(items[0] as (typeof items)[number]);
  expect((await findItem('Train')).id).toBe(id);
  const versions = await queryClient.fetchQuery(versionsQuery({ kind: 'case_studies', itemId: id }));
  expect(versions.map(({ action }) => action)).toEqual(['restored', 'deleted', 'created']);
});

test('The new kind is available to the assistant when published', async () => {
  const { published } = await readSiteContent({
    apiUrl: site.url,
    publishableKey: PUBLISHABLE_KEY,
    secretKey: site.backend.keys.secretKey,
    fetch,
  });
  expect(published).toContainEqual(
    expect.objectContaining({ title: 'Ferry', url: '/case-studies/ferry', texts: ['Cabins in winter'] }),
  );
});

test('The new kind can be added to a release and is published with it', async () => {
  const id = crypto.randomUUID();
  const { data: release } = await site.service
    .rpc('save_to_release', {
      _kind: 'case_studies',
      _item_id: id,
      _action: 'create',
      _data: { headline: 'Sleeper', slug: 'sleeper', status: 'published' },
      _name: 'Night trains',
    })
    .throwOnError();
  const visible = () => site.visitor.from('case_studies').select('headline').eq('id', id).throwOnError();
  expect((await visible()).data).toEqual([]);
  await site.service.rpc('publish_release', { _id: release }).throwOnError();
  expect((await visible()).data).toEqual([{ headline: 'Sleeper' }]);
});
