/** Sample client. The database creates its rows, and this module uploads its files. */
import { mutationOptions } from '@tanstack/react-query';
import { reloadOnSettled } from '../api/as-signed-in.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { addDays } from '../ui/lib/zoned-times.ts';
import { CLIENTS_KEY } from './clients.ts';
import { uploadClientFile } from './files/files.ts';

/**
 * Creates the sample client unless it exists.
 * @returns ID of the sample client
 */
export const addSampleMutation = mutationOptions({
  mutationFn: async (): Promise<string> => {
    const api = await sessionApi();
    const { data: id } = await api.rpc('add_sample_client').throwOnError();
    await addFiles(id);
    return id;
  },
  ...reloadOnSettled(CLIENTS_KEY),
});

/** Uploads a text and a logo and sets a fee, unless the sample client already has files. */
async function addFiles(clientId: string): Promise<void> {
  const api = await sessionApi();
  const { count } = await api
    .from('client_files')
    .select('id', { count: 'exact', head: true })
    .eq('client_id', clientId)
    .throwOnError();
  if (count) return;
  await uploadClientFile({
    clientId,
    file: new File([FIRST_CALL], 'What we say on the first call.txt', { type: 'text/plain' }),
  });
  const logo = await uploadClientFile({ clientId, file: new File([LOGO], 'Logo.svg', { type: 'image/svg+xml' }) });
  const { data: picture } = await api.from('client_files').select('id').eq('object_name', logo).single().throwOnError();
  await api.rpc('set_client_logo', { _client_id: clientId, _file_id: picture.id }).throwOnError();
  // The fee must cover all 90 days of the funnel.
  const month = `${addDays(new Date().toISOString().slice(0, 10), -120).slice(0, 7)}-01`;
  const fee = { _first_month: month, _amount: 30_000, _expected_number: 0 };
  await api.rpc('set_client_fee', { _client_id: clientId, ...fee }).throwOnError();
}

const FIRST_CALL = `What we say on the first call

1. Who heats your building today, and when did you last change provider?
2. How much did last winter cost, and how much was budgeted?
3. Three hotels near you pay a third less: how they did it, in two minutes.
4. The next step: a visit by an engineer, forty minutes, no obligation.
`;

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 48" width="96" height="48">
<path d="M6 38c14-26 26-26 34-8s20 8 50-20" fill="none" stroke="#0a6247" stroke-width="6" stroke-linecap="round"/>
<circle cx="82" cy="36" r="6" fill="#d99a1c"/>
</svg>
`;
