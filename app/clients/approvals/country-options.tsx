import { useState } from 'react';
import { COUNTRY_CODES } from './country-codes.ts';
import { countryName } from './criteria.ts';

/** Options of a select with all countries by name, except those in `without`. */
export function CountryOptions({ without = [] }: { without?: readonly string[] }) {
  const [countries] = useState(() =>
    COUNTRY_CODES.map((code) => ({ code, name: countryName(code) })).sort((a, b) => a.name.localeCompare(b.name, 'en')),
  );
  return countries
    .filter(({ code }) => !without.includes(code))
    .map(({ code, name }) => (
      <option key={code} value={code}>
        {name}
      </option>
    ));
}
