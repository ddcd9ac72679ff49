import { Field } from '../../ui/field.tsx';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { Select } from '../../ui/select.tsx';
import { type Campaign, CHANNELS, isChannel } from '../clients.ts';
import type { ColumnMap } from './figure-columns.ts';
import type { UnknownCampaign } from './figure-file.ts';
import { formatCount } from './progress.ts';

interface CampaignQuestionsProps {
  unknown: readonly UnknownCampaign[];
  names: ColumnMap['names'];
  campaigns: readonly Campaign[];
  onChange: (names: ColumnMap['names']) => void;
}

/** Asks for each unknown campaign name in the file whether to create, choose or skip a campaign. */
export function CampaignQuestions({ unknown, names, campaigns, onChange }: CampaignQuestionsProps) {
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
            value={optionOf(names[key])}
            onChange={({ target }) => onChange(setAnswer(names, key, answerOf(target.value, name)))}
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
            <option value="none">Skip its lines</option>
          </Select>
        </Field>
      ))}
    </fieldset>
  );
}

type Answer = ColumnMap['names'][string] | undefined;

function optionOf(answer: Answer): string {
  if (answer === undefined) return '';
  return answer === null ? 'none' : (answer.creates?.channel ?? answer.id);
}

function answerOf(value: string, name: string): Answer {
  if (value === '') return undefined;
  if (value === 'none') return null;
  if (isChannel(value)) return { id: crypto.randomUUID(), creates: { name, channel: value } };
  return { id: value, creates: null };
}

function setAnswer(names: ColumnMap['names'], key: string, answer: Answer): ColumnMap['names'] {
  const { [key]: _former, ...others } = names;
  return answer === undefined ? others : { ...others, [key]: answer };
}
