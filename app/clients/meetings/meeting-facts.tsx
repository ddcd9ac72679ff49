import type { FieldErrors, UseFormRegister } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { CountryOptions } from '../approvals/country-options.tsx';
import type { Meeting, MeetingForm } from './meetings.ts';

/** Returns the form values for a meeting's facts. */
export function factValues(meeting: Meeting | undefined) {
  const { role = '', company_size, country = '', is_customer = null, minutes } = meeting?.details ?? {};
  const customer: MeetingForm['is_customer'] = is_customer === null ? '' : is_customer ? 'yes' : 'no';
  return {
    role,
    company_size: String(company_size ?? ''),
    country,
    is_customer: customer,
    minutes: String(minutes ?? ''),
  };
}

interface MeetingFactsProps {
  register: UseFormRegister<MeetingForm>;
  errors: FieldErrors<MeetingForm>;
}

/** Form fields for the values that are checked against the agreed criteria. */
export function MeetingFacts({ register, errors }: MeetingFactsProps) {
  return (
    <fieldset className="grid grid-cols-1 gap-5">
      <legend className="pb-1 font-medium">Facts for the agreed criteria</legend>
      <p className="text-sm text-muted">All fields are optional. Criteria without a value are shown as not recorded.</p>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Person’s role" error={errors.role?.message}>
          <Input autoComplete="off" {...register('role')} />
        </Field>
        <Field label="Company size" help="Employees" error={errors.company_size?.message}>
          <Input inputMode="numeric" {...register('company_size')} />
        </Field>
        <Field label="Country" error={errors.country?.message}>
          <Select {...register('country')}>
            <option value="">Not recorded</option>
            <CountryOptions />
          </Select>
        </Field>
        <Field label="Already a customer">
          <Select {...register('is_customer')}>
            <option value="">Not recorded</option>
            <option value="yes">Yes</option>
            <option value="no">No</option>
          </Select>
        </Field>
        <Field label="Duration" help="Minutes" error={errors.minutes?.message}>
          <Input inputMode="numeric" {...register('minutes')} />
        </Field>
      </div>
    </fieldset>
  );
}
