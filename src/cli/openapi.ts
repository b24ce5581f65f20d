import { Command, Option } from 'commander';
import { readConfig } from '../config.ts';
import { documentToJson, openApiDocument } from '../contract/openapi.ts';
import { documentToYaml } from '../reference/openapi-yaml.ts';
import { writeOut } from './write-out.ts';

export function openapiCommand(): Command {
  return new Command('openapi')
    .description('print the OpenAPI document; PUBLIC_URL and STAGING_URL become its servers')
    .addOption(new Option('--json', 'print JSON (the default)').conflicts('yaml'))
    .option('--yaml', 'print YAML')
    .action(async ({ yaml = false }: { yaml?: boolean }) => {
      const { publicUrl, stagingUrl, isStaging } = readConfig();
      const document = openApiDocument(
        isStaging
          ? { staging: publicUrl ?? stagingUrl, isStaging }
          : { production: publicUrl, staging: stagingUrl },
      );
      await writeOut(yaml ? documentToYaml(document) : documentToJson(document));
    });
}
