import { X } from 'lucide-react';
import { type RefCallback, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { CountryOptions } from './country-options.tsx';
import { countryName } from './criteria.ts';

interface CountriesFieldProps {
  codes: readonly string[];
  onChange: (codes: string[]) => void;
  inputRef: RefCallback<HTMLSelectElement>;
}

/** Lists the selected countries, with a select to add a country. */
export function CountriesField({ codes, onChange, inputRef }: CountriesFieldProps) {
  const select = useRef<HTMLSelectElement | null>(null);
  const remove = (code: string) => {
    onChange(codes.filter((other) => other !== code));
    // The pressed button is removed, so move focus to the select.
    select.current?.focus();
  };
  return (
    <div className="grid grid-cols-1 gap-2">
      <Field label="Countries" help="Choose a country to add it.">
        <Select
          ref={(element) => {
            select.current = element;
            inputRef(element);
          }}
          value=""
          onChange={({ target }) => target.value !== '' && onChange([...codes, target.value])}
        >
          <option value="">Any country</option>
          <CountryOptions excludedCodes={codes} />
        </Select>
      </Field>
      {codes.length > 0 && (
        <ul aria-label="Selected countries" className="flex flex-wrap gap-2">
          {codes.map((code) => (
            <li key={code}>
              <Button
                variant="secondary"
                size="sm"
                aria-label={`Remove ${countryName(code)}`}
                onClick={() => remove(code)}
              >
                {countryName(code)}
                <X aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
