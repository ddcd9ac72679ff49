/** Industries that visitors ask about: what each is called, and the words by which it shows in a question or a project. */
import type { Language } from '../languages.ts';
import { wordsOf } from './words.ts';

export interface Industry {
  name: Record<Language, string>;
  words: ReadonlySet<string>;
}

function industry(en: string, nb: string, da: string, sv: string, de: string, words: string): Industry {
  return { name: { en, nb, da, sv, de }, words: new Set(wordsOf(words)) };
}

export const INDUSTRIES: Industry[] = [
  industry(
    'hotels and travel',
    'hotell og reise',
    'hoteller og rejser',
    'hotell och resor',
    'Hotels und Reisen',
    'hotel hotels hotell hoteller hotellet hotelle hospitality resort tourism travel reiseliv turisme turism tourismus restaurant restaurants restauranter restauranger gastronomie guests',
  ),
  industry(
    'logistics',
    'logistikk',
    'logistik',
    'logistik',
    'Logistik',
    'logistics logistikk logistik freight shipping transport transportation trucking haulage warehouse warehousing spedisjon spedition cargo carrier fracht lager supply',
  ),
  industry(
    'the maritime industry',
    'maritim næring',
    'det maritime',
    'sjöfart',
    'die maritime Branche',
    'maritime marine boat boats ship ships vessel vessels shipyard offshore fishing skip båt båter båtar sjøfart søfart sjöfart schifffahrt werft',
  ),
  industry(
    'software',
    'programvare',
    'software',
    'mjukvara',
    'Software',
    'software saas tech startups programvare mjukvara developers apps fintech programmer',
  ),
  industry(
    'manufacturing',
    'industri',
    'industri',
    'tillverkning',
    'die Industrie',
    'manufacturing manufacturer manufacturers machine machines machinery maker workshop workshops factory factories industrial produksjon produktion tillverkning maskin maskiner maschinen maschinenbau industri industrie hersteller',
  ),
  industry(
    'health care',
    'helse',
    'sundhed',
    'vård',
    'das Gesundheitswesen',
    'health healthcare medical dentist dentists dental clinic clinics hospital hospitals doctor doctors pharma medtech helse lege tannlege tannleger klinikk sundhed læge tandlæge vård tandläkare läkare klinik arzt ärzte zahnarzt zahnärzte krankenhaus gesundheit',
  ),
  industry(
    'finance and insurance',
    'finans og forsikring',
    'finans og forsikring',
    'finans och försäkring',
    'Finanzen und Versicherungen',
    'bank banks banking finance financial insurance insurer accounting accountants bank banker forsikring regnskap finans försäkring redovisning banken versicherung versicherungen finanz steuerberater',
  ),
  industry(
    'law',
    'jus',
    'jura',
    'juridik',
    'Recht',
    'law lawyer lawyers attorney attorneys advokat advokater advokatfirma anwalt anwälte kanzlei kanzleien',
  ),
  industry(
    'retail and e-commerce',
    'handel og netthandel',
    'detail og nethandel',
    'handel och e-handel',
    'Handel und E-Commerce',
    'retail retailer ecommerce shop shops store stores webshop nettbutikk nettbutikker butikk butikker nethandel butik butikker handel näthandel butiker einzelhandel onlineshop',
  ),
  industry(
    'real estate and construction',
    'eiendom og bygg',
    'ejendom og byggeri',
    'fastigheter och bygg',
    'Immobilien und Bau',
    'estate property realtor construction builder builders contractor contractors architects eiendom eiendomsmegler bygg ejendom byggeri fastighet fastigheter mäklare immobilien makler bau bauunternehmen',
  ),
  industry(
    'education',
    'utdanning',
    'uddannelse',
    'utbildning',
    'Bildung',
    'education school schools university universities college courses utdanning skole skoler uddannelse utbildning skola skolor bildung schule schulen universität',
  ),
  industry(
    'recruiting',
    'rekruttering',
    'rekruttering',
    'rekrytering',
    'Personalvermittlung',
    'recruiting recruitment recruiters staffing headhunters rekruttering bemanning rekrytering personalvermittlung',
  ),
  industry(
    'energy',
    'energi',
    'energi',
    'energi',
    'Energie',
    'energy solar wind power utilities oil energi strøm sol olje el energie strom photovoltaik',
  ),
  industry(
    'the public sector',
    'offentlig sektor',
    'den offentlige sektor',
    'offentlig sektor',
    'der öffentliche Sektor',
    'public municipality municipalities government kommune kommuner offentlig kommun kommuner offentliga behörde behörden öffentlich',
  ),
  industry(
    'non-profits',
    'ideelle organisasjoner',
    'almennyttige organisationer',
    'ideella organisationer',
    'gemeinnützige Vereine',
    'nonprofit nonprofits charity charities ngo ideell ideelle velgørende ideella gemeinnützig verein vereine',
  ),
];

/** Tools that visitors ask about by name. */
export const TOOLS = new Map(
  'HubSpot Salesforce Pipedrive Shopify WordPress Slack Teams Outlook Gmail Zapier n8n Notion Airtable Intercom Zendesk Mailchimp Calendly SuperOffice Dynamics SAP Odoo Apollo Lemlist WhatsApp Messenger Wix Squarespace Webflow Magento WooCommerce Zoho Freshdesk Klaviyo Office365'
    .split(' ')
    .map((name) => [name.toLowerCase(), name] as const),
);
