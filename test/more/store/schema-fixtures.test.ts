import { describeUpgrades, FIXTURE_NAMES, isOlderPostgres } from '../../store/schema-fixtures.ts';

describeUpgrades(FIXTURE_NAMES.filter(isOlderPostgres));
