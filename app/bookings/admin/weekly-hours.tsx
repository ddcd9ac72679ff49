import { clsx } from 'clsx';
import { Copy, Plus, X } from 'lucide-react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { DropdownItem, DropdownMenu } from '../../ui/dropdown-menu.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { allZones } from '../../ui/lib/zoned-times.ts';
import { Select } from '../../ui/select.tsx';
import { type AvailabilityForm, copyHours, nextHours, PRESETS, WEEKDAYS } from './availability-schema.ts';
import { WeekGrid } from './week-grid.tsx';

/**
 * Class of a time input. On phones, the native picker icon would cover the end of the time, and tapping the input opens
 * the picker anyway.
 */
const TIME_CLASS = 'max-w-36 max-sm:px-2 max-sm:[&::-webkit-calendar-picker-indicator]:hidden';

const EVERY_DAY = WEEKDAYS.map((_, position) => position + 1);

/** Target days for copying hours. */
const COPY_TARGETS = [
  { label: 'Monday to Friday', days: EVERY_DAY.slice(0, 5) },
  { label: 'Every day', days: EVERY_DAY },
];

/** Editor for the hours on each day, with breaks, in the selected time zone. */
export function WeeklyHours() {
  const { register, control, formState, getValues } = useFormContext<AvailabilityForm>();
  const { fields, append, remove, replace } = useFieldArray({ control, name: 'hours' });
  return (
    <>
      <Field label="Time zone" error={formState.errors.time_zone?.message} className="max-w-80">
        <Select {...register('time_zone')}>
          {allZones(getValues('time_zone')).map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </Select>
      </Field>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would render its legend above the buttons */}
      <div role="group" aria-label="Start from a template" className="flex flex-wrap gap-2">
        {PRESETS.map(({ label, hours }) => (
          <Button key={label} variant="secondary" size="sm" onClick={() => replace(hours)}>
            {label}
          </Button>
        ))}
      </div>
      <WeekGrid onChange={replace} />
      <div className="@container grid divide-y divide-line">
        {WEEKDAYS.map((name, position) => {
          const weekday = position + 1;
          const dayFields = fields
            .map((field, index) => ({ field, index }))
            .filter(({ field }) => field.weekday === weekday);
          const readDayHours = () => getValues('hours').filter((range) => range.weekday === weekday);
          return (
            <fieldset
              key={name}
              className={clsx(
                'min-w-0 gap-x-4 gap-y-2 py-2 @min-[38rem]:grid @min-[38rem]:grid-cols-[7rem_1fr_auto] @min-[38rem]:items-start',
                // Days without hours need a single line on phones.
                dayFields.length === 0 ? 'flex flex-wrap items-center' : 'grid grid-cols-[1fr_auto] items-center',
              )}
            >
              <legend className="sr-only">{name}</legend>
              <span aria-hidden="true" className="min-w-24 font-medium @min-[38rem]:pt-2.5">
                {name}
              </span>
              <div
                className={clsx(
                  'grid min-w-0 grid-cols-1 gap-2',
                  dayFields.length > 0 && '@max-[38rem]:order-1 @max-[38rem]:col-span-2',
                )}
              >
                {dayFields.length === 0 && <p className="text-muted @min-[38rem]:pt-2.5">No calls</p>}
                {dayFields.map(({ field, index }) => (
                  <Range key={field.id} day={name} index={index} onRemove={() => remove(index)} />
                ))}
              </div>
              <DayButtons
                name={name}
                hasHours={dayFields.length > 0}
                onAdd={() => append(nextHours(weekday, readDayHours()))}
                onCopy={(days) => replace(copyHours(getValues('hours'), weekday, days))}
              />
            </fieldset>
          );
        })}
      </div>
    </>
  );
}

interface DayButtonsProps {
  name: string;
  hasHours: boolean;
  onAdd: () => void;
  onCopy: (days: number[]) => void;
}

function DayButtons({ name, hasHours, onAdd, onCopy }: DayButtonsProps) {
  return (
    <div
      className={clsx(
        'flex gap-1 justify-self-start @min-[38rem]:mt-1 @min-[38rem]:justify-self-end',
        !hasHours && 'ml-auto',
      )}
    >
      <Button variant="ghost" size="sm" aria-label={`Add hours on ${name}`} onClick={onAdd}>
        <Plus aria-hidden="true" />
        Add hours
      </Button>
      {hasHours && (
        <DropdownMenu
          trigger={
            <Button variant="ghost" size="sm" aria-label={`Copy ${name}’s hours to other days`}>
              <Copy aria-hidden="true" />
            </Button>
          }
        >
          {COPY_TARGETS.map(({ label, days }) => (
            <DropdownItem key={label} onSelect={() => onCopy(days)}>
              {label}
            </DropdownItem>
          ))}
        </DropdownMenu>
      )}
    </div>
  );
}

/** Inputs for the start and end of bookable hours on a day. */
function Range({ day, index, onRemove }: { day: string; index: number; onRemove: () => void }) {
  const { register, formState } = useFormContext<AvailabilityForm>();
  const errors = formState.errors.hours?.[index];
  return (
    <div className="grid grid-cols-1 gap-1">
      <div className="flex items-center gap-2">
        <Input
          type="time"
          aria-label={`${day}, from`}
          aria-invalid={errors?.starts_at ? true : undefined}
          className={TIME_CLASS}
          {...register(`hours.${index}.starts_at`)}
        />
        <span className="text-muted">to</span>
        <Input
          type="time"
          aria-label={`${day}, to`}
          aria-invalid={errors?.ends_at ? true : undefined}
          className={TIME_CLASS}
          {...register(`hours.${index}.ends_at`)}
        />
        <Button variant="ghost" size="icon" aria-label={`Remove these hours from ${day}`} onClick={onRemove}>
          <X aria-hidden="true" />
        </Button>
      </div>
      <p role="alert" className="text-sm font-medium text-danger empty:hidden">
        {errors?.starts_at?.message ?? errors?.ends_at?.message}
      </p>
    </div>
  );
}
