import { Field } from '../../ui/field.tsx';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { Select } from '../../ui/select.tsx';
import { type Campaign, CHANNELS, isChannel } from '../clients.ts';
import type { ColumnMap } from './figure-columns.ts';
import type { UnknownCampaign } from './figure-file.ts';
import { formatCount } from './progress.ts';

interface CampaignMappingProps {
  unknown: readonly UnknownCampaign[];
  names: ColumnMap['names'];
  campaigns: readonly Campaign[];
  onChange: (names: ColumnMap['names']) => void;
}

/** Asks for each unknown campaign name in the file whether to create, choose or skip a campaign. */
export function CampaignMapping({ unknown, names, campaigns, onChange }: CampaignMappingProps) {
  return (
    <fieldset className="grid grid-cols-1 gap-4">
      <legend className="mb-3 font-semibold">
        {unknown.length === 1 ? 'One campaign is new' : `${unknown.length} campaigns are new`}
      </legend>
      {unknown.map(({ key, name, count }) => (
        <Field
          key={key}
          label={`Create “${name}”, or choose an existing campaign`}
          aside={count === 1 ? '1 line' : `${formatCount(count)} lines`}
        >
          <Select
            value={formatMapping(names[key])}
            onChange={({ target }) => onChange(setMapping(names, key, parseMapping(target.value, name)))}
          >
            <option value="">Choose</option>
            <optgroup label="Create a campaign with the channel">
              {keysOf(CHANNELS).map((channel) => (
                <option key={channel} value={channel}>
                  {CHANNELS[channel]}
                </option>
              ))}
            </optgroup>
            {campaigns.length > 0 && (
              <optgroup label="Existing campaign">
                {campaigns.map((campaign) => (
                  <option key={campaign.id} value={campaign.id}>
                    {campaign.name}
                  </option>
                ))}
              </optgroup>
            )}
            <option value="none">Skip these lines</option>
          </Select>
        </Field>
      ))}
    </fieldset>
  );
}

type Mapping = ColumnMap['names'][string] | undefined;

function formatMapping(mapping: Mapping): string {
  if (mapping === undefined) return '';
  return mapping === null ? 'none' : (mapping.creates?.channel ?? mapping.id);
}

function parseMapping(value: string, name: string): Mapping {
  if (value === '') return undefined;
  if (value === 'none') return null;
  if (isChannel(value)) return { id: crypto.randomUUID(), creates: { name, channel: value } };
  return { id: value, creates: null };
}

function setMapping(names: ColumnMap['names'], key: string, mapping: Mapping): ColumnMap['names'] {
  const { [key]: _former, ...others } = names;
  return mapping === undefined ? others : { ...others, [key]: mapping };
}
