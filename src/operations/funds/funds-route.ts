import { fundAllocation } from '../../catalogue/datasets/fund-allocation.ts';
import { funds } from '../../catalogue/datasets/funds.ts';
import { createListRoute } from '../list-route.ts';
import { fundsOperation } from './funds-operation.ts';

export const createFundsRoute = () => createListRoute(fundsOperation, [fundAllocation, funds]);
