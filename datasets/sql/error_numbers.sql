-- How many fields are wrong, by category (D-13), as SQL over grades; categories that do not occur have no row.
CREATE OR REPLACE VIEW error_numbers AS
SELECT g.suite, g.edition, g.system_id, p.split, 'error' AS dimension, g.error AS group_name, 'error_count' AS metric,
       CAST(count(*) AS DOUBLE) AS value
FROM grades g
JOIN profiles p USING (suite, edition, system_id, case_id, trial)
WHERE g.judge = 'program' AND g.pass_name = 'atomic' AND g.error IS NOT NULL AND p.is_scored AND len(p.scores) = 0
    AND g.suite IN (SELECT suite FROM tendencies WHERE metric = 'field_accuracy')
GROUP BY ALL;
